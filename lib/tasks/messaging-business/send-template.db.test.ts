import { describe, expect, test } from 'vitest';
import { listMessagesOfRun } from '#lib/messaging/sending/find-message.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';

const sending = setUpSending();

describe('send_template', () => {
  const template = {
    action: 'send_template',
    template_name: 'order_confirmation',
    template_parameters: ['Guest', 'A-1001'],
  };

  test('spec, send_template: sends the body of the spec and gives message_id, recipient, template_name', async () => {
    const runId = crypto.randomUUID();
    const { output, runText } = await runAction(sending.world, { ...sending.base, ...template }, { runId });
    expect(runText).toBe('Template sent successfully.');
    expect(output).toEqual({
      action: 'send_template',
      message_id: expect.stringMatching(/^wamid\./) as string,
      message_status: 'accepted',
      recipient: CUSTOMER,
      template_name: 'order_confirmation',
    });
    expect(await sending.lastCall()).toMatchObject({
      path: `${PLATFORM_IDS.booksOrders}/messages`,
      body: {
        messaging_product: 'whatsapp',
        to: CUSTOMER,
        type: 'template',
        template: {
          name: 'order_confirmation',
          language: { code: 'en_US' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Guest' },
                { type: 'text', text: 'A-1001' },
              ],
            },
          ],
        },
      },
    });
    expect(await listMessagesOfRun(sending.world.ctx, runId)).toMatchObject([
      {
        messageId: output['message_id'],
        kind: 'template',
        templateName: 'order_confirmation',
        taskId: 7,
        status: 'accepted',
      },
    ]);
  });

  test('spec, Endpoints 2: works at any time, with no window', async () => {
    await runAction(sending.world, { ...sending.base, ...template, recipient: '15550002222' });
    expect(await sending.world.messages('to=15550002222')).toHaveLength(1);
  });

  test.each([
    ['a JSON text with variables inside strings', '["{{task_1_name}}", "{{task_1_total}}"]'],
    ['a variable that gives a list', '{{task_1_list}}'],
    ['a list in the settings', ['{{task_1_name}}', '{{task_1_total}}']],
    ['a variable that gives a JSON text', '{{task_1_text}}'],
  ])('template_parameters as %s', async (_, template_parameters) => {
    const body = {
      name: 'Quote " and \\ slash',
      total: 12.5,
      list: ['Quote " and \\ slash', '12.5'],
      text: '["Quote \\" and \\\\ slash","12.5"]',
    };
    const { output } = await runAction(
      sending.world,
      { ...sending.base, ...template, template_parameters },
      { body },
    );
    const sent = (await sending.world.messages(`to=${CUSTOMER}`)).find(
      ({ id }) => id === output['message_id'],
    );
    expect(sent?.text).toBe(
      'Hi Quote " and \\ slash, thank you for your order 12.5. We will tell you when it is on its way.',
    );
  });

  test('spec, template_language: another language; header and URL button of a template that has them', async () => {
    await runAction(sending.world, {
      ...sending.base,
      ...template,
      template_language: 'de',
      recipient: '15550003333',
    });
    expect((await sending.world.messages('to=15550003333'))[0]?.text).toMatch(/^Hallo Guest, danke/);
    const shipping = {
      template_name: 'shipping_update',
      header_type: 'image',
      header_value: `${sending.filesUrl}/image/png`,
      button_parameter: 'A-1001',
      recipient: '15550003334',
    };
    await runAction(sending.world, { ...sending.base, ...template, ...shipping });
    expect((await sending.world.messages('to=15550003334'))[0]).toMatchObject({
      template_name: 'shipping_update',
    });
    const uploaded = { header_value: await sending.uploadPicture(), recipient: '15550003336' };
    await runAction(sending.world, { ...sending.base, ...template, ...shipping, ...uploaded });
    expect((await sending.lastCall())?.body).toMatchObject({
      template: {
        components: expect.arrayContaining([
          { type: 'header', parameters: [{ type: 'image', image: { id: uploaded.header_value } }] },
        ]) as unknown,
      },
    });
    await runAction(sending.world, {
      ...sending.base,
      ...template,
      template_name: 'announcement',
      header_value: 'Sale',
      recipient: '15550003335',
    });
    expect((await sending.world.messages('to=15550003335'))[0]).toMatchObject({
      template_name: 'announcement',
    });
  });

  test.each([
    ['is not there', { template_name: 'no_such_template' }],
    ['has the wrong case', { template_name: 'Order_Confirmation' }],
    ['is not approved', { template_name: 'summer_sale', template_parameters: ['Monday'] }],
    ['is not there in the language', { template_language: 'fr' }],
  ])('spec, Errors: a template that %s: template not found', async (_, more) => {
    const error = await failAction(sending.world, { ...sending.base, ...template, ...more });
    expect(error).toMatchObject({
      code: 'template_not_found',
      retry: { kind: 'never' },
      outcomeUnknown: false,
    });
    expect(error.message).toMatch(/^Template not found: /);
    expect(error.details).toMatchObject({
      code: 132001,
      http_status: 404,
      fbtrace_id: expect.any(String) as string,
    });
  });

  test('a paused or disabled template says so', async () => {
    expect(
      await failAction(sending.world, {
        ...sending.base,
        ...template,
        template_name: 'winter_sale',
        template_parameters: ['x'],
      }),
    ).toMatchObject({
      code: 'template_stopped',
    });
  });

  test('spec, Errors: parameter mismatch, found by the platform or before it is asked', async () => {
    const tooFew = await failAction(sending.world, {
      ...sending.base,
      ...template,
      template_parameters: ['Guest'],
    });
    expect(tooFew.message).toMatch(/^Parameter mismatch: .*does not match the expected number/);
    const before = (await sending.world.calls()).length;
    const number = await failAction(
      sending.world,
      { ...sending.base, ...template, template_parameters: '{{task_1_list}}' },
      { body: { list: ['Guest', 5] } },
    );
    expect(number.message).toBe(
      'Parameter mismatch: element 2 of template_parameters is the number 5; all must be strings.',
    );
    expect((await sending.world.calls()).length).toBe(before);
  });
});
