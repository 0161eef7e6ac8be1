import { beforeEach, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { newId } from '#lib/core/ids.ts';
import type { TaskResult } from '#lib/engine/task-executor.ts';
import { guardSideEffects } from '#lib/engine/draft-run.ts';
import { getConsent } from '#lib/messaging/consent/consents.ts';
import { findCustomer } from '#lib/messaging/consent/find-customer.ts';
import { ensureErasureKey, hashName } from '#lib/messaging/customers/erased-names.ts';
import { holdKey, quietKey } from '#lib/messaging/consent/hold-waits.ts';
import { getHold, releaseHold, setHold } from '#lib/messaging/consent/holds.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { customerConsent } from './definition.ts';
import { createCustomerConsentExecutor } from './execute.ts';

const sending = setUpSending();
beforeEach(() =>
  sending.world.runtime.hot.query(
    `delete from customer_consents; delete from consent_changes; delete from customer_holds; delete from send_rates;
     delete from customer_attributes; delete from attribute_changes; delete from customer_names; delete from sent_messages`,
  ),
);

const contextOf = (settings: object, body = { from: CUSTOMER }) => ({
  ...taskContext(customerConsent, { recipient: '{{task_1_from}}', ...settings }, { body }),
  workspaceId: sending.world.workspaceId,
});
const run = async (settings: object, body?: { from: string }): Promise<TaskResult> =>
  createCustomerConsentExecutor(async () => sending.world.runtime).execute(contextOf(settings, body));

const insertTrigger = async (): Promise<string> => {
  const tasks = [{ id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} }];
  const { hot } = sending.world.runtime;
  return (await insertWorkflow(hot, { tasks, edges: [] }, sending.world.workspaceId)).token;
};

const template = () => ({ ...sending.base, action: 'send_template', template_name: 'hello_world' });
const holdOf = async () => (await getHold(sending.world.ctx, { id: CUSTOMER })).hold;

test('hand_over: no workflow sends until the hold is released, and the failure says why', async () => {
  expect(await run({ action: 'hand_over', hold_reason: 'Complaint.' })).toMatchObject({
    output: { action: 'hand_over', recipient: CUSTOMER, until: '' },
    runText: 'Customer on hold until the hold is released.',
  });
  expect(await holdOf()).toMatchObject({ reason: 'Complaint.', evidence: { kind: 'run', task_id: 7 } });
  const error = await failAction(sending.world, template());
  expect(error).toMatchObject({ code: 'customer_on_hold', retry: { kind: 'never' }, outcomeUnknown: false });
  expect(error.message).toMatch(
    /^Customer on hold: .* until the hold is released\. Reason: Complaint\. The message was not sent\./,
  );
  await releaseHold(sending.world.ctx, { id: `+${CUSTOMER}` });
  await runAction(sending.world, template());
});

test('hand_over: a hold ends at its time', async () => {
  await run({ action: 'hand_over', hold_amount: 2, hold_unit: 'hours' });
  const { until } = (await holdOf()) ?? {};
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(7_100_000);
  expect(await failAction(sending.world, template())).toMatchObject({ code: 'customer_on_hold' });
  await sending.world.runtime.hot.query(`update customer_holds set until = now() - interval '1 second'`);
  expect(await holdOf()).toBeNull();
  await runAction(sending.world, template());
});

test('hand_over: a hold that lasts longer stays as it is, a shorter one is extended', async () => {
  const handOver = () => run({ action: 'hand_over', hold_amount: 2, hold_unit: 'hours' });
  await setHold(sending.world.ctx, { id: CUSTOMER, hours: null, reason: 'Lawyer' });
  expect(await handOver()).toMatchObject({
    output: { until: '' },
    runText: 'Customer on hold until the hold is released.',
  });
  expect(await holdOf()).toMatchObject({ until: null, reason: 'Lawyer' });

  await setHold(sending.world.ctx, { id: CUSTOMER, hours: 5, reason: 'Lawyer' });
  const longer = await holdOf();
  expect(await handOver()).toMatchObject({ output: { until: longer?.until } });
  expect(await holdOf()).toEqual(longer);

  await setHold(sending.world.ctx, { id: CUSTOMER, hours: 1, reason: 'Lawyer' });
  const extended = await handOver();
  const { until } = (await holdOf()) ?? {};
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(7_100_000);
  expect(extended).toMatchObject({ output: { until } });
  expect(await holdOf()).toMatchObject({ reason: '', evidence: { kind: 'run' } });
});

test('give_back: ends a hold that anybody set, under any name, and changes nothing where there is none', async () => {
  await setHold(sending.world.ctx, { id: CUSTOMER, hours: null, reason: 'Complaint' });
  const done = {
    output: { action: 'give_back', recipient: CUSTOMER },
    runText: expect.stringMatching(/^Customer released/) as string,
  };
  expect(await run({ action: 'give_back' }, { from: `+${CUSTOMER}` })).toMatchObject(done);
  expect(await holdOf()).toBeNull();
  await runAction(sending.world, template());
  expect(await run({ action: 'give_back' })).toMatchObject(done);
  expect(await holdOf()).toBeNull();
});

test('hand_over: runs that wait for the end of another hold look at the new one', async () => {
  const { hot } = sending.world.runtime;
  await setHold(sending.world.ctx, { id: CUSTOMER, hours: 1, reason: '', sends: 'wait' });
  const wait = { id: newId(), runId: await startRun(createIntake(hot), await insertTrigger()) };
  await hot.query(
    `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
     values ($1, $2, $3, $4, 2, '', 'all', 0, now(), true)`,
    [wait.id, sending.world.workspaceId, holdKey(CUSTOMER), wait.runId],
  );
  await run({ action: 'hand_over', hold_amount: 2, hold_unit: 'hours' });
  const { rows } = await hot.query('select is_open from signal_waits where id = $1', [wait.id]);
  expect(rows).toEqual([{ is_open: false }]);
});

test('set_consent, check_consent: what was recorded decides the exit', async () => {
  const check = (consent_purpose = 'marketing') => run({ action: 'check_consent', consent_purpose });
  expect(await check()).toMatchObject({
    branch: 'not_consented',
    output: { state: 'unknown' },
    runText: 'Not consented: nothing is known.',
  });
  expect(await run({ action: 'set_consent' })).toMatchObject({
    output: { action: 'set_consent', recipient: CUSTOMER, purpose: 'marketing', state: 'given' },
    runText: 'Recorded: The customer agreed to marketing.',
  });
  expect(await check()).toMatchObject({ branch: 'consented', output: { state: 'given' } });
  expect(await check('all')).toMatchObject({ branch: 'not_consented', output: { state: 'unknown' } });
  await run({ action: 'set_consent', consent_purpose: 'all', consent_state: 'stopped' });
  expect(await check()).toMatchObject({ branch: 'not_consented', output: { state: 'stopped' } });
  expect(await failAction(sending.world, template())).toMatchObject({ code: 'customer_stopped' });
  expect((await getConsent(sending.world.ctx, { id: CUSTOMER })).history[0]).toMatchObject({
    state: 'stopped',
    evidence: { kind: 'run', run_id: 'r1', task_id: 7 },
  });
});

test('check_consent: a stop from before an erasure still counts', async () => {
  const { ctx } = sending.world;
  const check = (consent_purpose = 'marketing') => run({ action: 'check_consent', consent_purpose });
  const key = await ctx.db.transaction((tx) => ensureErasureKey(tx, ctx.secrets, ctx.workspaceId));
  await sending.world.runtime.hot.query(
    `insert into erased_names (workspace_id, name_hash, erasure_id, erased_at, stopped) values ($1, $2, $3, now(), 'marketing')`,
    [ctx.workspaceId, hashName(key, CUSTOMER), newId()],
  );
  expect(await check()).toMatchObject({ branch: 'not_consented', output: { state: 'stopped' } });
  expect(await check('all')).toMatchObject({ output: { state: 'unknown' } });
  await run({ action: 'set_consent' });
  expect(await check()).toMatchObject({ branch: 'consented' });
  await sending.world.runtime.hot.query('delete from erased_names');
});

test('a run of a draft records nothing', async () => {
  const captured: unknown[] = [];
  const context = contextOf({ action: 'set_consent', consent_state: 'stopped' });
  const draft = { sendTo: null, callsServices: true, refusals: {}, pins: {} };
  const effects = guardSideEffects(draft, context, (shown) => captured.push(shown));
  await createCustomerConsentExecutor(async () => sending.world.runtime).execute({ ...context, ...effects });
  expect(captured).toEqual([{ kind: 'change', text: 'Record: The customer stopped marketing.' }]);
  expect((await getConsent(sending.world.ctx, { id: CUSTOMER })).history).toEqual([]);
});

const remember = (attributes: object[], more: object = {}) =>
  run({ action: 'remember', attributes, ...more });
const recall = async (...recalled: object[]) => {
  const { output } = (await run({ action: 'recall', recalled })) as { output: Record<string, unknown> };
  return output;
};
const changes = async () =>
  (
    await sending.world.runtime.hot.query<{ attribute: string; value: string | null; evidence: object }>(
      'select attribute, value, evidence from attribute_changes order by id',
    )
  ).rows;

test('remember, recall: values keep their types, and what was not remembered has its default', async () => {
  const done = await remember([
    { name: 'city', value: 'Rome, {{task_1_from}}' },
    { name: 'visits', type: 'number', value: '12345678901234567890.10' },
    { name: 'since', type: 'date', value: '2026-03-31' },
    { name: 'called', type: 'date', value: '2026-03-31T09:00:00+02:00' },
    { name: 'member', type: 'yes_no', value: 'Yes' },
    { name: 'barred', type: 'yes_no', value: false },
  ]);
  expect(done).toMatchObject({ runText: 'Remembered 6 attributes.', output: { recipient: CUSTOMER } });
  const output = await recall(
    ...['city', 'visits', 'since', 'called', 'member', 'barred'].map((name) => ({
      name,
      default_value: 'none',
    })),
    { name: 'points', default_value: 7 },
    { name: 'nothing' },
  );
  expect(JSON.stringify(output['visits'])).toBe('12345678901234567890.10');
  expect(output).toMatchObject({
    city: `Rome, ${CUSTOMER}`,
    since: '2026-03-31',
    called: '2026-03-31T07:00:00.000Z',
    member: true,
    barred: false,
    points: 7,
    nothing: '',
  });
  expect((await findCustomer(sending.world.ctx, CUSTOMER)).customerId).not.toBeNull();
});

test('remember: a new time zone wakes the messages of this customer that wait for quiet hours', async () => {
  const { hot } = sending.world.runtime;
  const runId = await startRun(createIntake(hot), await insertTrigger());
  for (const name of [CUSTOMER, '15550109999'])
    await hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'all', 0, now(), true)`,
      [newId(), sending.world.workspaceId, quietKey(name), runId],
    );
  const open = async () =>
    (
      await hot.query<{ key: string }>(
        'select key from signal_waits where run_id = $1 and is_open order by key',
        [runId],
      )
    ).rows;
  const remembered = (name: string) => ({
    action: 'remember',
    attributes: [{ name, type: 'text', value: 'Asia/Tokyo' }],
  });
  await run(remembered('city'));
  expect(await open()).toHaveLength(2);
  await run(remembered('time_zone'));
  expect(await open()).toEqual([{ key: quietKey('15550109999') }]);
});

test('remember: a value of another type fails, an empty one removes the attribute', async () => {
  for (const [type, value] of [
    ['number', '12 apples'],
    ['number', '007'],
    ['date', 'tomorrow'],
    ['date', '2026-02-31'],
    ['yes_no', 'perhaps'],
    ['text', 'x'.repeat(1001)],
  ])
    await expect(remember([{ name: 'bad', type, value }]), value).rejects.toMatchObject({
      code: 'invalid_attribute',
    });
  expect(await changes()).toEqual([]);
  await remember([{ name: 'city', value: 'Rome' }]);
  await remember([{ name: 'city', value: ' ' }]);
  expect(await recall({ name: 'city', default_value: 'none' })).toMatchObject({ city: 'none' });
  expect((await changes()).map(({ value }) => value)).toEqual(['Rome', null]);
});

test('remember: executed again it writes nothing; of many at once the last in the log is the value', async () => {
  const once = [{ name: 'city', value: 'Rome' }];
  await remember(once);
  await remember(once);
  expect(await changes()).toMatchObject([{ evidence: { kind: 'run', run_id: 'r1', task_id: 7 } }]);
  const values = Array.from({ length: 12 }, (_, index) => index);
  await Promise.all(values.map((value) => remember([{ name: 'turn', type: 'number', value }])));
  const log = (await changes()).filter(({ attribute }) => attribute === 'turn');
  expect(log.map(({ value }) => Number(value)).toSorted((a, b) => a - b)).toEqual(values);
  expect(await recall({ name: 'turn' })).toMatchObject({ turn: Number(log.at(-1)?.value) });
});

test('remember: without a customer it is the only one whom the run sent something', async () => {
  const runId = newId();
  const remembered = { action: 'remember', recipient: '', attributes: [{ name: 'city', value: 'Rome' }] };
  const ofRun = () =>
    createCustomerConsentExecutor(async () => sending.world.runtime).execute({
      ...contextOf(remembered),
      runId,
    });
  await expect(ofRun()).rejects.toMatchObject({ code: 'invalid_recipient' });
  const { runtime, workspaceId } = sending.world;
  await runtime.hot.query(
    `insert into customer_names (workspace_id, name, customer_id, business_account_id) values ($1, $2, $3, '')`,
    [workspaceId, CUSTOMER, newId()],
  );
  await runtime.hot.query(
    `insert into sent_messages
       (workspace_id, message_id, connection_id, phone_number_id, recipient, run_id, status, status_at, timeline)
     values ($1, 'm1', $3, '1', $2, $3, 'sent', now(), '[]')`,
    [workspaceId, CUSTOMER, runId],
  );
  expect(await ofRun()).toMatchObject({ output: { recipient: CUSTOMER, city: 'Rome' } });
});

test('settings name each attribute once, and not as other outputs', () => {
  const problemsOf = (settings: object) => checkSettings(customerConsent, settings, 'publish').problems;
  const named = (...names: string[]) => ({
    action: 'remember',
    attributes: names.map((name) => ({ name, value: 'x' })),
  });
  expect(problemsOf(named('city'))).toEqual([]);
  for (const names of [[], ['city', 'city'], ['recipient'], ['run'], ['a b']])
    expect(problemsOf(named(...names)), names.join(' ')).toHaveLength(1);
  expect(problemsOf({ action: 'recall' })).toHaveLength(1);
  expect(problemsOf({ action: 'hand_over' })).toHaveLength(1);
});

test('what is no customer fails', async () => {
  await expect(run({ action: 'hand_over' }, { from: 'Kim' })).rejects.toMatchObject({
    code: 'invalid_recipient',
  });
});

test('a change is repeated where the connection to the database breaks before or after it', async () => {
  const pool = sending.world.runtime.db.$client;
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => Promise<PoolClient>;
  for (const statement of ['begin', 'commit']) {
    let isBroken = false;
    const breakOnce = async (...given: unknown[]): Promise<PoolClient> => {
      // With a callback it is the pool's own call, for a single statement.
      if (given.length > 0 || isBroken) return connect(...given);
      isBroken = true;
      const client = await connect();
      const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
      const queryAndBreak = async (...values: unknown[]): Promise<unknown> => {
        const result = await query(...values);
        if (values[0] === statement) throw new Error('Connection terminated unexpectedly');
        return result;
      };
      return Object.assign(client, { query: queryAndBreak });
    };
    Object.assign(pool, { connect: breakOnce });
    const attributes = [{ name: 'size', type: 'text', value: `after ${statement}` }];
    expect(await run({ action: 'remember', attributes })).toMatchObject({
      runText: 'Remembered 1 attribute.',
    });
    Reflect.deleteProperty(pool, 'connect');
    expect(isBroken).toBe(true);
    expect(await run({ action: 'recall', recalled: [{ name: 'size' }] })).toMatchObject({
      output: { size: `after ${statement}` },
    });
  }
});
