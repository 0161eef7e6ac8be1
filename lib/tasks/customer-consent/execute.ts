import { type TaskContext, TaskError, type TaskExecutor } from '#lib/engine/task-executor.ts';
import { inTransaction } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { findAttributes, rememberAttributes } from '#lib/messaging/attributes/attributes.ts';
import { findCustomer } from '#lib/messaging/consent/find-customer.ts';
import { findCustomerOfRun } from '#lib/messaging/customers/runs-of-customer.ts';
import { readAttribute, toAttributeValue } from '#lib/messaging/schema/attribute-types.ts';
import { count } from '#lib/variables/errors.ts';
import { getConsent } from '#lib/messaging/consent/consents.ts';
import { endHolds, findHoldEnd } from '#lib/messaging/consent/hold-waits.ts';
import { putOnHold } from '#lib/messaging/consent/holds.ts';
import { recordConsents } from '#lib/messaging/consent/record-consents.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { Evidence } from '#lib/messaging/schema/consent-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { evaluateDuration, evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { isMissing } from '#lib/tasks/setting-values.ts';
import { customerConsent, type CustomerConsentSettings, MAX_HOLD_REASON } from './definition.ts';
import { CONSENTED, NOT_CONSENTED } from './kind.ts';

type Task = TaskContext<CustomerConsentSettings>;
type Deps = Pick<MessagingRuntime, 'db' | 'secrets'>;

/** Executing it again records the same. @param load returns the dependencies; called at each execution. */
export function createCustomerConsentExecutor(load: () => Promise<Deps>): TaskExecutor {
  return executorOf(customerConsent, {
    async execute(task) {
      const deps = await load();
      const recipient = await findRecipient(task, deps);
      const { action } = task.settings;
      const result = await RUN[action](task, deps, recipient);
      return { ...result, output: { action, recipient, ...result.output } };
    },
    hasSideEffect: ({ action }) => action !== 'check_consent' && action !== 'recall',
    ifInterrupted: () => 'retry',
  });
}

/** The customer of the settings, else the run's. @throws TaskError `invalid_recipient` */
async function findRecipient({ settings, scope, workspaceId, runId }: Task, { db }: Deps): Promise<string> {
  const text = renderSetting(settings.recipient, scope, 'none').trim();
  if (isMissing(settings.recipient)) {
    const name = await findCustomerOfRun({ db, workspaceId }, runId);
    if (name !== undefined) return name;
    throw new TaskError(
      'invalid_recipient',
      'The run is not about one customer: no customer’s message started or continued it, and it did not send to one customer alone. Enter a customer.',
    );
  }
  const { value, problem } = readRecipient(text);
  if (problem !== undefined) throw new TaskError('invalid_recipient', problem);
  return value.id;
}

interface Done {
  kind: 'done';
  output: JsonObject;
  runText: string;
  branch?: string;
}

const RUN: Readonly<
  Record<CustomerConsentSettings['action'], (task: Task, deps: Deps, recipient: string) => Promise<Done>>
> = {
  hand_over: handOver,
  give_back: giveBack,
  set_consent: setConsent,
  check_consent: checkConsent,
  remember,
  recall,
};

const evidenceOf = ({ runId, taskId }: Task): Evidence => ({ kind: 'run', run_id: runId, task_id: taskId });

/** A run of a draft only shows it, as it would change what all workflows do. @param act idempotent */
const change = (task: Task, text: string, act: () => Promise<unknown>): Promise<void> =>
  task.changeOutside(
    {
      target: { kind: 'account' },
      shown: () => ({ kind: 'change', text }),
      instead: () => undefined,
    },
    async () => {
      await task.recordSideEffect();
      await retryWhileUnavailable(act);
    },
  );

/** A hold that lasts longer stays, as a person may have set it. */
async function handOver(task: Task, { db }: Deps, recipient: string): Promise<Done> {
  const { settings, scope, workspaceId } = task;
  const { hold_amount: amount, hold_unit: unit } = settings;
  const since = new Date();
  const until = isMissing(amount) ? null : new Date(since.getTime() + evaluateDuration(amount, unit, scope));
  const reason = renderSetting(settings.hold_reason, scope, 'none').trim().slice(0, MAX_HOLD_REASON);
  const words = (end: Date | null): string =>
    end === null ? 'until the hold is released' : `until ${end.toISOString()}`;
  const hold = { workspaceId, names: [recipient], since, until, reason, evidence: evidenceOf(task) };
  await change(task, `Put the customer on hold ${words(until)}.`, () =>
    inTransaction(db.$client, (client) => putOnHold(client, hold, { onlyExtends: true })),
  );
  const known = await findHoldEnd(db.$client, { workspaceId, recipient });
  const end = until === null || known === undefined || (known !== null && known < until) ? until : known;
  return {
    kind: 'done',
    output: { until: end?.toISOString() ?? '' },
    runText: `Customer on hold ${words(end)}.`,
  };
}

async function giveBack(task: Task, { db }: Deps, recipient: string): Promise<Done> {
  const { workspaceId } = task;
  const { names } = await findCustomer({ db, workspaceId }, recipient);
  await change(task, 'Release the customer from hold.', () =>
    inTransaction(db.$client, (client) => endHolds(client, workspaceId, names)),
  );
  return { kind: 'done', output: {}, runText: 'Customer released: workflows send to them again.' };
}

async function setConsent(task: Task, { db }: Deps, recipient: string): Promise<Done> {
  const { workspaceId, settings } = task;
  const { consent_purpose: purpose, consent_state: state } = settings;
  const changed = { purpose, state, at: new Date(), evidence: evidenceOf(task) };
  const what = purpose === 'marketing' ? 'marketing' : 'all messages';
  const done = state === 'given' ? `The customer agreed to ${what}` : `The customer stopped ${what}`;
  await change(task, `Record: ${done}.`, () =>
    db.execute(recordConsents([{ workspaceId, names: [recipient], ...changed }])),
  );
  return { kind: 'done', output: { purpose, state }, runText: `Recorded: ${done}.` };
}

/** @throws TaskError `invalid_attribute` */
async function remember(task: Task, { db }: Deps, recipient: string): Promise<Done> {
  const { workspaceId, settings, scope } = task;
  const writes = settings.attributes.map(({ name: attribute, type, value: setting }) => {
    const { value = null, problem } = readAttribute(type, evaluateSetting(setting, scope));
    if (problem !== undefined)
      throw new TaskError('invalid_attribute', `Attribute "${attribute}": ${problem}`);
    return { attribute, type, value };
  });
  const { names } = await findCustomer({ db, workspaceId }, recipient);
  const what = writes.map(({ attribute, value }) => `${attribute} = ${value ?? 'nothing'}`).join(', ');
  await change(task, `Remember: ${what}.`, () =>
    inTransaction(db.$client, (client) =>
      rememberAttributes(client, { workspaceId, names, writes, evidence: evidenceOf(task) }),
    ),
  );
  const output = writes.map(({ attribute, type, value }): [string, JsonValue] => [
    attribute,
    value === null ? null : toAttributeValue(type, value),
  ]);
  return {
    kind: 'done',
    output: Object.fromEntries(output),
    runText: `Remembered ${count(writes.length, 'attribute')}.`,
  };
}

async function recall(
  { workspaceId, settings, scope }: Task,
  { db }: Deps,
  recipient: string,
): Promise<Done> {
  const { names } = await findCustomer({ db, workspaceId }, recipient);
  const known = new Map(
    (await findAttributes({ db, workspaceId }, names)).map(({ name, value }) => [name, value as JsonValue]),
  );
  const output = settings.recalled.map(({ name, default_value: setting }): [string, JsonValue] => [
    name,
    known.get(name) ?? evaluateSetting(setting, scope) ?? null,
  ]);
  const found = settings.recalled.filter(({ name }) => known.has(name)).length;
  return {
    kind: 'done',
    output: Object.fromEntries(output),
    runText: `Recalled ${found} of ${count(output.length, 'attribute')}.`,
  };
}

/** A stop of all messages includes marketing. */
async function checkConsent(task: Task, { db, secrets }: Deps, recipient: string): Promise<Done> {
  const { consent_purpose: purpose } = task.settings;
  const { kept_stop: kept, ...consent } = await getConsent(
    { db, secrets, workspaceId: task.workspaceId },
    { id: recipient },
  );
  const isStopped = consent.all?.state === 'stopped' || kept?.purpose === 'all' || kept?.purpose === purpose;
  const state = isStopped ? 'stopped' : (consent[purpose]?.state ?? 'unknown');
  const { name: branch, label } = state === 'given' ? CONSENTED : NOT_CONSENTED;
  const why = state === 'unknown' ? ': nothing is known' : state === 'stopped' ? ': stopped' : '';
  return { kind: 'done', branch, output: { purpose, state }, runText: `${label}${why}.` };
}
