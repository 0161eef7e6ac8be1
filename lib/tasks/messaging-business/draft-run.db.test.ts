// Against the sandbox: in a run of the draft no message reaches the platform, unless it is let through.
import { expect, test } from 'vitest';
import { type DraftRunOptions, guardSideEffects } from '#lib/engine/draft-run.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';
import { ACTIONS, hasSideEffect } from './actions.ts';
import { messagingBusiness } from './definition.ts';
import { createMessagingBusinessExecutor } from './execute.ts';

const sending = setUpSending();
const CLOSED: DraftRunOptions = { sendTo: null, callsServices: true, refusals: {}, pins: {} };

async function runInDraft(settings: Record<string, unknown>, options: Partial<DraftRunOptions> = {}) {
  const captured: unknown[] = [];
  const context = taskContext(messagingBusiness, { ...sending.base, ...settings });
  const effects = guardSideEffects({ ...CLOSED, ...options }, context, (shown) => captured.push(shown));
  const executor = createMessagingBusinessExecutor(async () => sending.world.runtime);
  const { workspaceId } = sending.world;
  const runId = crypto.randomUUID();
  const result = await executor.execute({ ...context, ...effects, workspaceId, runId, now: new Date() });
  return { result, captured };
}

const SETTINGS: Readonly<Record<string, Record<string, unknown>>> = {
  send_template: { template_name: 'order_confirmation', template_parameters: ['Kim', 'A-1'] },
  send_text: { message_text: 'Hello' },
  send_media: { media_type: 'image', media_url: 'https://example.com/a.png' },
  mark_as_read: { message_id: 'wamid.1' },
  create_template: {
    template_name: 'captured_only',
    template_category: 'UTILITY',
    template_components: [{ type: 'BODY', text: 'Your order is on its way.' }],
  },
};

test.each(ACTIONS.filter(hasSideEffect))('%s is captured, and the platform is not asked', async (action) => {
  const before = (await sending.world.calls()).length;
  const { result, captured } = await runInDraft({ action, ...SETTINGS[action] });
  expect(result).toMatchObject({ kind: 'done', output: { action } });
  expect(captured).toHaveLength(1);
  expect((await sending.world.calls()).length).toBe(before);
});

test('a captured message says from whom to whom, and what', async () => {
  const { captured, result } = await runInDraft({ action: 'send_text', message_text: 'Hello *Kim*' });
  expect(captured).toMatchObject([
    {
      kind: 'message',
      phone_number_id: PLATFORM_IDS.booksOrders,
      recipient: CUSTOMER,
      message: { type: 'text', body: 'Hello *Kim*' },
    },
  ]);
  expect(result).toMatchObject({
    output: { recipient: CUSTOMER, message_id: expect.stringMatching(/^captured/) as string },
  });
});

test.each(['delivered', 'read'])('a captured message counts as %s: nobody is waited for', async (awaited) => {
  const { captured, result } = await runInDraft({
    action: 'send_template',
    ...SETTINGS['send_template'],
    wait_until: awaited,
  });
  expect(captured).toHaveLength(1);
  expect(result).toMatchObject({ kind: 'done', branch: awaited, output: { status: awaited } });
});

test('let through, a message goes to the number of one’s own and not to the customer', async () => {
  const own = '15550009999';
  const before = (await sending.world.messages(`to=${CUSTOMER}`)).length;
  const { captured } = await runInDraft(
    { action: 'send_template', ...SETTINGS['send_template'] },
    { sendTo: own },
  );
  expect(captured).toEqual([]);
  expect(await sending.world.messages(`to=${own}`)).toMatchObject([{ type: 'template' }]);
  expect((await sending.world.messages(`to=${CUSTOMER}`)).length).toBe(before);
});
