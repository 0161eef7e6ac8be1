import { beforeEach, expect, test } from 'vitest';
import type { TaskResult } from '#lib/engine/task-executor.ts';
import { guardSideEffects } from '#lib/engine/draft-run.ts';
import { getConsent } from '#lib/messaging/consent/consents.ts';
import { getHold, releaseHold } from '#lib/messaging/consent/holds.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { customerConsent } from './definition.ts';
import { createCustomerConsentExecutor } from './execute.ts';

const sending = setUpSending();
beforeEach(() =>
  sending.world.runtime.hot.query(
    'delete from customer_consents; delete from consent_changes; delete from customer_holds; delete from send_rates',
  ),
);

const contextOf = (settings: object, body = { from: CUSTOMER }) => ({
  ...taskContext(customerConsent, { recipient: '{{task_1_from}}', ...settings }, { body }),
  workspaceId: sending.world.workspaceId,
});
const run = async (settings: object, body?: { from: string }): Promise<TaskResult> =>
  createCustomerConsentExecutor(async () => sending.world.runtime).execute(contextOf(settings, body));

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

test('a run of a draft records nothing', async () => {
  const captured: unknown[] = [];
  const context = contextOf({ action: 'set_consent', consent_state: 'stopped' });
  const draft = { sendTo: null, callsServices: true, refusals: {}, pins: {} };
  const effects = guardSideEffects(draft, context, (shown) => captured.push(shown));
  await createCustomerConsentExecutor(async () => sending.world.runtime).execute({ ...context, ...effects });
  expect(captured).toEqual([{ kind: 'change', text: 'Record: The customer stopped marketing.' }]);
  expect((await getConsent(sending.world.ctx, { id: CUSTOMER })).history).toEqual([]);
});

test('what is no customer fails', async () => {
  await expect(run({ action: 'hand_over' }, { from: 'Kim' })).rejects.toMatchObject({
    code: 'invalid_recipient',
  });
});
