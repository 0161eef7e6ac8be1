import { describe, expect, test } from 'vitest';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';

const sending = setUpSending();

describe('send_text', () => {
  const text = { action: 'send_text', message_text: 'Your order {{task_1_id}} is ready.' };

  test('spec, send_text: sends text with preview_url and body inside the window', async () => {
    await sending.world.customerWrites(CUSTOMER);
    const { output, runText } = await runAction(
      sending.world,
      { ...sending.base, ...text, preview_url: true },
      { body: { id: 'A-7' } },
    );
    expect(runText).toBe('Text message sent successfully.');
    expect(output).toMatchObject({
      action: 'send_text',
      recipient: CUSTOMER,
      sent: 'text',
      message_id: expect.stringMatching(/^wamid/) as string,
    });
    expect((await sending.lastCall())?.body).toEqual({
      messaging_product: 'whatsapp',
      to: CUSTOMER,
      type: 'text',
      text: { preview_url: true, body: 'Your order A-7 is ready.' },
    });
  });

  test('spec, Errors: window expired, when the platform says so', async () => {
    const error = await failAction(sending.world, { ...sending.base, ...text, recipient: '15550004444' });
    expect(error.message).toMatch(/^Window expired: .*send_template/);
    expect(error).toMatchObject({ code: 'window_expired', retry: { kind: 'never' } });
  });

  test('spec, Endpoints 1: validated first: a window that notifications showed to be closed needs no call', async () => {
    await setWindow('15550005555', '25 hours');
    const before = (await sending.world.calls()).length;
    const error = await failAction(sending.world, { ...sending.base, ...text, recipient: '15550005555' });
    expect(error.message).toMatch(/^Window expired: the customer last wrote at /);
    expect((await sending.world.calls()).length).toBe(before);
    await setWindow('15550005556', '23 hours');
    await sending.world.customerWrites('15550005556');
    await runAction(sending.world, { ...sending.base, ...text, recipient: '15550005556' });
  });

  test('what the platform refused for a closed window did not happen: it is not on record while the fallback waits', async () => {
    const record: string[] = [];
    const settings = {
      ...sending.base,
      ...text,
      recipient: '15550006668',
      fallback_template_name: 'hello_world',
    };
    await runAction(sending.world, settings, { record });
    expect(record).toEqual(['recorded', 'withdrawn', 'recorded']);
  });

  test.each([
    ['the platform finds the window closed', '15550006666', false],
    ['notifications showed it to be closed', '15550006667', true],
  ])('a fallback template goes out when %s', async (_, recipient, isKnown) => {
    if (isKnown) await setWindow(recipient, '2 days');
    const fallback = {
      fallback_template_name: 'order_confirmation',
      fallback_template_parameters: '["Guest", "{{task_1_id}}"]',
    };
    const { output, runText } = await runAction(
      sending.world,
      { ...sending.base, ...text, ...fallback, recipient },
      { body: { id: 'A-8' } },
    );
    expect(output).toMatchObject({ sent: 'template', template_name: 'order_confirmation' });
    expect(runText).toBe('Template sent successfully.');
    expect(await sending.world.messages(`to=${recipient}`)).toMatchObject([{ type: 'template' }]);
  });

  const setWindow = (customer: string, ago: string) =>
    sending.world.runtime.hot.query(
      `insert into conversation_windows values ($1, $2, $3, now() - $4::interval, 'wamid.x')`,
      [sending.world.workspaceId, PLATFORM_IDS.booksOrders, customer, ago],
    );
});
