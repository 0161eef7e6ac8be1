// Messages, and what was said with a customer, as screens and the API have them, masked for the reader.
import { AppError, nullIfMissing } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { readBody } from '#lib/events/event-row.ts';
import { getEvent } from '#lib/events/read-events.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { type ConfirmationRow, findConfirmations } from '#lib/messaging/consent/confirmations.ts';
import { findReceived, type TimelineItem } from '#lib/messaging/conversations/list-timeline.ts';
import { findCustomerOf } from '#lib/messaging/customers/list-customers.ts';
import { recordMask } from '#lib/messaging/mask.ts';
import { toAttributeValue } from '#lib/messaging/schema/attribute-types.ts';
import { findMessages } from '#lib/messaging/sending/find-message.ts';
import { loadRun, toRunMessage } from '#lib/runs/get-run.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import type { Message, TimelineMessage } from './customer-schema.ts';
import { readSaid } from './read-conversations.ts';
import { inTheirOrder } from './read-run.ts';
import { maskWithin } from './run-mask.ts';

export type CustomerReader = ActorContext & Pick<MemberContext, 'role' | 'masksNumbers'>;

type Clean = (text: string) => string;

interface RunOfMessage {
  id: string;
  workflow_id: string;
  version: number;
  event_id: string;
}

const RUNS =
  'select id, workflow_id, version, event_id from runs where workspace_id = $1 and id = any($2::uuid[])';

async function findRuns(
  { db, workspaceId }: CustomerReader,
  items: readonly TimelineItem[],
): Promise<Map<string, RunOfMessage>> {
  const ids = new Set(items.flatMap((item) => runIdsOf(item)));
  if (ids.size === 0) return new Map();
  const { rows } = await db.$client.query<RunOfMessage>(RUNS, [workspaceId, [...ids]]);
  return new Map(rows.map((row) => [row.id, row]));
}

function runIdsOf(item: TimelineItem): string[] {
  if (item.direction === 'remembered') {
    const { run_id: runId } = item.change.evidence;
    return runId === undefined ? [] : [runId];
  }
  if (item.direction === 'confirmation') return [];
  if (item.direction === 'sent') return item.message.runId === null ? [] : [item.message.runId];
  return item.events.flatMap(({ runId }) => runId ?? []);
}

/** Messages and attributes as screens and the API have them. */
export async function toTimeline(
  ctx: CustomerReader,
  items: readonly TimelineItem[],
): Promise<TimelineMessage[]> {
  const runs = await findRuns(ctx, items);
  const [names, said, confirmations] = await Promise.all([
    findWorkflowNames(
      ctx,
      [...runs.values()].map((run) => run.workflow_id),
    ),
    readTexts(ctx, items, runs),
    findConfirmations(ctx, items.flatMap(idOfSentByHand)),
  ]);
  const clean = recordMask(ctx);
  return items.map((item) => {
    const own = runIdsOf(item).flatMap((id) => runs.get(id) ?? []);
    const linked = {
      direction: item.direction === 'confirmation' ? ('sent' as const) : item.direction,
      at: item.at.toISOString(),
      runs: own.map((run) => ({
        run_id: run.id,
        workflow_id: run.workflow_id,
        workflow_name: names.get(run.workflow_id)?.name ?? null,
        version: draftRevisionOf(run.version) === null ? run.version : null,
      })),
    };
    if (item.direction === 'remembered') return { ...linked, ...toRemembered(item, clean) };
    if (item.direction === 'received') return { ...linked, ...toReceived(item, clean) };
    if (item.direction === 'confirmation') return { ...linked, ...toUnsent(item.confirmation, clean) };
    const { message } = item;
    const confirmation = confirmations.get(message.messageId);
    return {
      ...linked,
      ...toSent(item, said.get(message.messageId) ?? confirmation, clean),
      confirms: confirmation?.state ?? null,
      event_ids: own.map((run) => run.event_id),
    };
  });
}

/** Confirmations are among the texts that no run sent. */
const idOfSentByHand = (item: TimelineItem): string[] =>
  item.direction === 'sent' && item.message.runId === null && item.message.kind === 'text'
    ? [item.message.messageId]
    : [];

type Unlinked = Omit<TimelineMessage, 'direction' | 'at' | 'runs'>;

/** Why a confirmation has no message of the platform; null: not yet. */
const UNSENT: Readonly<Record<ConfirmationRow['status'], string | null>> = {
  queued: null,
  sending: null,
  sent: null,
  not_sent: 'It was not sent.',
  unknown: 'Nobody knows whether it was sent: the platform’s answer was lost. It is not sent again.',
};

const toUnsent = (
  { id, phoneNumberId, customer, state, text, status, reason }: ConfirmationRow,
  clean: Clean,
): Unlinked => ({
  id: `confirmation:${id}`,
  phone_number_id: phoneNumberId,
  customer: clean(customer),
  kind: 'text',
  template: null,
  by_person: false,
  attribute: null,
  confirms: state,
  text,
  status: null,
  problem: [UNSENT[status], reason === null ? null : clean(reason)].filter(Boolean).join(' ') || null,
  statuses: [],
  event_ids: [],
});

const toRemembered = (
  {
    change: { id, customer, attribute: name, type, value, evidence },
  }: Extract<TimelineItem, { direction: 'remembered' }>,
  clean: Clean,
): Unlinked => ({
  id: `attribute:${id}`,
  phone_number_id: '',
  customer: clean(customer),
  kind: null,
  template: null,
  by_person: false,
  attribute: {
    name,
    type,
    value: value === null ? null : maskWithin(toAttributeValue(type, value) as string, clean),
    by: evidence.kind,
  },
  confirms: null,
  text: null,
  status: null,
  problem: null,
  statuses: [],
  event_ids: [],
});

function toReceived(item: Extract<TimelineItem, { direction: 'received' }>, clean: Clean): Unlinked {
  const { messageId, phoneNumberId, customer, type, events } = item;
  const text = readText(events.find(({ body }) => body !== null)?.body ?? null);
  return {
    id: messageId,
    phone_number_id: phoneNumberId,
    customer: clean(customer),
    kind: type,
    template: null,
    by_person: false,
    attribute: null,
    confirms: null,
    text: text === null ? null : clean(text),
    status: null,
    problem: null,
    statuses: [],
    event_ids: events.map(({ eventId }) => eventId),
  };
}

/** Of an event, as workflows get it; null: it was removed. */
function readText(body: Buffer | null): string | null {
  const fields = body && (readBody(body).body as Record<string, JsonValue> | null);
  return fields ? toText(fields['text']) : null;
}

function toSent(
  { message }: Extract<TimelineItem, { direction: 'sent' }>,
  said: Pick<SaidMessage, 'text'> | undefined,
  clean: Clean,
): Omit<Unlinked, 'event_ids' | 'confirms'> {
  const { id, recipient, template, status, problem, statuses } = toRunMessage({
    ...message,
    timeline: inTheirOrder(message.timeline),
  });
  return {
    id,
    phone_number_id: message.phoneNumberId,
    customer: clean(recipient),
    kind: message.kind,
    template,
    by_person: message.isByPerson,
    attribute: null,
    text: said ? said.text : null,
    status,
    problem: problem === null ? null : clean(problem),
    statuses: maskWithin(statuses, clean),
  };
}

/** Each run is read on its own. */
const MAX_RUNS_WITH_TEXTS = 25;

/** What the messages say that runs sent, by the platform's ids: rendered again from their tasks, unless retention removed those. */
async function readTexts(
  ctx: CustomerReader,
  items: readonly TimelineItem[],
  runs: ReadonlyMap<string, RunOfMessage>,
): Promise<Map<string, SaidMessage>> {
  const sent = items.flatMap((item) => (item.direction === 'sent' ? [item.message] : []));
  const byRun = Map.groupBy(sent, ({ runId }) => runId ?? '');
  const texts = await Promise.all(
    [...byRun]
      .filter(([runId]) => runs.has(runId))
      .slice(0, MAX_RUNS_WITH_TEXTS)
      .map(([runId, messages]) =>
        readSaid(ctx, runId, [...new Set(messages.map(({ iteration }) => iteration ?? ''))]).catch(
          nullIfMissing,
        ),
      ),
  );
  // Retention may remove a run, or its event, while it is read.
  return new Map(texts.flatMap((each) => [...(each ?? [])]));
}

type MessageItem = Extract<TimelineItem, { direction: 'sent' | 'received' }>;

/**
 * A message with all that led to it: event, workflow and version, task, and what the platform reported.
 * @throws AppError `not_found`
 */
export async function readMessage(ctx: CustomerReader, id: string): Promise<Message> {
  const [[sent], [received]] = await Promise.all([findMessages(ctx, [id]), findReceived(ctx, [id])]);
  const item: MessageItem | undefined = sent
    ? { direction: 'sent', at: sent.createdAt, message: sent }
    : received;
  if (!item)
    throw new AppError(
      'not_found',
      'No message has this id: it belongs to another workspace, or it was removed after its retention.',
    );
  const [message] = await toTimeline(ctx, [item]);
  if (!message) throw new Error('A message was found and is not shown.');
  const name = item.direction === 'sent' ? item.message.recipient : item.customer;
  const [customerId, task, events] = await Promise.all([
    findCustomerOf(ctx, name),
    findTask(ctx, item),
    Promise.all(message.event_ids.map((eventId) => findEvent(ctx, eventId))),
  ]);
  return { ...message, customer_id: customerId, task, events: events.flat() };
}

async function findTask(ctx: CustomerReader, item: MessageItem): Promise<Message['task']> {
  if (item.direction === 'received') return null;
  const { runId, taskId } = item.message;
  if (runId === null || taskId === null) return null;
  const run = await loadRun(ctx, runId).catch(() => null);
  const version = run && (await findVersion(ctx.db.$client, run.workflow_id, run.version));
  const name = version?.graph.tasks.find(({ id }) => id === taskId)?.name ?? null;
  return { task_id: taskId, name, iteration: toRunMessage(item.message).iteration };
}

async function findEvent(ctx: CustomerReader, id: string): Promise<Message['events']> {
  const event = await getEvent(ctx, { id }).catch(nullIfMissing);
  if (event === null) return [];
  const { outcome, reason, received_at } = event;
  return [{ id, outcome, reason, received_at }];
}
