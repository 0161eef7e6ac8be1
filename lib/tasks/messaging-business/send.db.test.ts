import { describe, expect, test, vi } from 'vitest';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';

const sending = setUpSending();

describe('recipient', () => {
  test('spec, Common fields: digits only; what people write around them is removed, and noted', async () => {
    const { output } = await runAction(
      sending.world,
      {
        ...sending.base,
        action: 'send_template',
        template_name: 'hello_world',
        recipient: '{{task_1_phone}}',
      },
      { body: { phone: ' +1 (555) 000-1111 ' } },
    );
    expect(output).toMatchObject({
      recipient: CUSTOMER,
      note: `Changed to ${CUSTOMER}, the platform’s format.`,
    });
  });

  test('a user id stands for a customer whose number the platform does not tell', async () => {
    const customer = '15550001717';
    await sending.world.customerWrites(customer, sending.base['phone_number_id'] as string, {
      text: 'Hi',
      hides_number: true,
    });
    const recipient = `US.1349${customer}`;
    const { output } = await runAction(
      sending.world,
      {
        ...sending.base,
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Hello',
      },
      { body: { from: recipient } },
    );
    expect(output).toMatchObject({ recipient, sent: 'text' });
    const call = (await sending.world.calls('target=graph&method=POST')).at(-1);
    expect(call?.body).toMatchObject({ recipient });
    expect(call?.body).not.toHaveProperty('to');
    expect((await sending.world.messages(`to=${customer}`)).map(({ text }) => text)).toEqual(['Hello']);
  });

  test.each([['call me'], ['+49 abc'], ['123'], ['']])('%j fails before any call', async (phone) => {
    const before = (await sending.world.calls()).length;
    const settings = {
      ...sending.base,
      action: 'send_template',
      template_name: 'hello_world',
      recipient: '{{task_1_phone}}',
    };
    const error = await failAction(sending.world, settings, { body: { phone } });
    expect(error.message).toMatch(phone === '' ? /recipient is empty/ : /isn’t a phone number/);
    expect((await sending.world.calls()).length).toBe(before);
  });
});

test('statuses of a sent message are found by the message id', async () => {
  const { output } = await runAction(sending.world, {
    ...sending.base,
    action: 'send_template',
    template_name: 'hello_world',
  });
  const message_id = output['message_id'] as string;
  await vi.waitFor(async () => {
    const status = await runAction(sending.world, {
      app_connection_id: sending.base['app_connection_id'],
      action: 'get_message_status',
      message_id,
    });
    expect(status.output).toMatchObject({
      data: { status: 'delivered', timestamp: expect.any(Number) as number },
    });
  });
  expect(await findMessage(sending.world.ctx, message_id)).toMatchObject({ recipient: CUSTOMER });
});
