import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findMessage, listMessagesOfRun } from '#lib/messaging/find-message.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { getMedia, uploadMedia } from '#lib/platform/media.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';

const CUSTOMER = '15550001111';

let world: MessagingWorld;
let files: Server;
let filesUrl: string;
let base: Record<string, unknown>;

beforeAll(async () => {
  world = await startMessagingWorld();
  const { id } = await world.connect();
  base = {
    app_connection_id: id,
    business_account_id: PLATFORM_IDS.books,
    phone_number_id: PLATFORM_IDS.booksOrders,
    recipient: CUSTOMER,
  };
  files = createServer((request, response) => {
    const [, type = '', bytes = '10'] = /^\/([\w.-]+\/[\w.+-]+)\/?(\d*)/.exec(request.url ?? '') ?? [];
    response.writeHead(type === '' ? 404 : 200, { 'content-type': type || 'text/plain' });
    response.end(Buffer.alloc(Number(bytes || '10')));
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(async () => {
  files.closeAllConnections();
  files.close();
  await world.end();
});
beforeEach(() => world.control('DELETE', 'faults'));

const lastCall = async () => (await world.calls(`target=graph&method=POST`)).at(-1);

describe('send_template', () => {
  const template = {
    action: 'send_template',
    template_name: 'order_confirmation',
    template_parameters: ['Guest', 'A-1001'],
  };

  test('spec, send_template: sends the body of the spec and gives message_id, recipient, template_name', async () => {
    const runId = crypto.randomUUID();
    const { output, runText } = await runAction(world, { ...base, ...template }, { runId });
    expect(runText).toBe('Template sent successfully.');
    expect(output).toEqual({
      action: 'send_template',
      message_id: expect.stringMatching(/^wamid\./) as string,
      recipient: CUSTOMER,
      template_name: 'order_confirmation',
    });
    expect(await lastCall()).toMatchObject({
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
    expect(await listMessagesOfRun(world.ctx, runId)).toMatchObject([
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
    await runAction(world, { ...base, ...template, recipient: '15550002222' });
    expect(await world.messages('to=15550002222')).toHaveLength(1);
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
    const { output } = await runAction(world, { ...base, ...template, template_parameters }, { body });
    const sent = (await world.messages(`to=${CUSTOMER}`)).find(({ id }) => id === output['message_id']);
    expect(sent?.text).toBe(
      'Hi Quote " and \\ slash, thank you for your order 12.5. We will tell you when it is on its way.',
    );
  });

  test('spec, template_language: another language; header and URL button of a template that has them', async () => {
    await runAction(world, { ...base, ...template, template_language: 'de', recipient: '15550003333' });
    expect((await world.messages('to=15550003333'))[0]?.text).toMatch(/^Hallo Guest, danke/);
    const shipping = {
      template_name: 'shipping_update',
      header_type: 'image',
      header_value: `${filesUrl}/image/png`,
      button_parameter: 'A-1001',
      recipient: '15550003334',
    };
    await runAction(world, { ...base, ...template, ...shipping });
    expect((await world.messages('to=15550003334'))[0]).toMatchObject({ template_name: 'shipping_update' });
    await runAction(world, {
      ...base,
      ...template,
      template_name: 'announcement',
      header_value: 'Sale',
      recipient: '15550003335',
    });
    expect((await world.messages('to=15550003335'))[0]).toMatchObject({ template_name: 'announcement' });
  });

  test.each([
    ['is not there', { template_name: 'no_such_template' }],
    ['has the wrong case', { template_name: 'Order_Confirmation' }],
    ['is not approved', { template_name: 'summer_sale', template_parameters: ['Monday'] }],
    ['is not there in the language', { template_language: 'fr' }],
  ])('spec, Errors: a template that %s: template not found', async (_, more) => {
    const error = await failAction(world, { ...base, ...template, ...more });
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
      await failAction(world, {
        ...base,
        ...template,
        template_name: 'winter_sale',
        template_parameters: ['x'],
      }),
    ).toMatchObject({
      code: 'template_stopped',
    });
  });

  test('spec, Errors: parameter mismatch, found by the platform or before it is asked', async () => {
    const tooFew = await failAction(world, { ...base, ...template, template_parameters: ['Guest'] });
    expect(tooFew.message).toMatch(/^Parameter mismatch: .*does not match the expected number/);
    const before = (await world.calls()).length;
    const number = await failAction(
      world,
      { ...base, ...template, template_parameters: '{{task_1_list}}' },
      { body: { list: ['Guest', 5] } },
    );
    expect(number.message).toBe(
      'Parameter mismatch: element 2 of template_parameters is the number 5; all must be strings.',
    );
    expect((await world.calls()).length).toBe(before);
  });
});

describe('send_text', () => {
  const text = { action: 'send_text', message_text: 'Your order {{task_1_id}} is ready.' };

  test('spec, send_text: sends text with preview_url and body inside the window', async () => {
    await world.customerWrites(CUSTOMER);
    const { output, runText } = await runAction(
      world,
      { ...base, ...text, preview_url: true },
      { body: { id: 'A-7' } },
    );
    expect(runText).toBe('Text message sent successfully.');
    expect(output).toMatchObject({
      action: 'send_text',
      recipient: CUSTOMER,
      sent: 'text',
      message_id: expect.stringMatching(/^wamid/) as string,
    });
    expect((await lastCall())?.body).toEqual({
      messaging_product: 'whatsapp',
      to: CUSTOMER,
      type: 'text',
      text: { preview_url: true, body: 'Your order A-7 is ready.' },
    });
  });

  test('spec, Errors: window expired, when the platform says so', async () => {
    const error = await failAction(world, { ...base, ...text, recipient: '15550004444' });
    expect(error.message).toMatch(/^Window expired: .*send_template/);
    expect(error).toMatchObject({ code: 'window_expired', retry: { kind: 'never' } });
  });

  test('spec, Endpoints 1: validated first: a window that notifications showed to be closed needs no call', async () => {
    await setWindow('15550005555', '25 hours');
    const before = (await world.calls()).length;
    const error = await failAction(world, { ...base, ...text, recipient: '15550005555' });
    expect(error.message).toMatch(/^Window expired: the customer last wrote at /);
    expect((await world.calls()).length).toBe(before);
    await setWindow('15550005556', '23 hours');
    await world.customerWrites('15550005556');
    await runAction(world, { ...base, ...text, recipient: '15550005556' });
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
      world,
      { ...base, ...text, ...fallback, recipient },
      { body: { id: 'A-8' } },
    );
    expect(output).toMatchObject({ sent: 'template', template_name: 'order_confirmation' });
    expect(runText).toBe('Template sent successfully.');
    expect(await world.messages(`to=${recipient}`)).toMatchObject([{ type: 'template' }]);
  });

  const setWindow = (customer: string, ago: string) =>
    world.runtime.hot.query(
      `insert into conversation_windows values ($1, $2, $3, now() - $4::interval, 'wamid.x')`,
      [world.workspaceId, PLATFORM_IDS.booksOrders, customer, ago],
    );
});

describe('send_media', () => {
  const media = { action: 'send_media', recipient: '15550007777' };

  beforeAll(() => world.customerWrites('15550007777'));

  test.each([
    ['image', 'image/png', { caption: 'Look' }],
    ['video', 'video/mp4', { caption: 'Look' }],
    ['document', 'application/pdf', { caption: 'Look', filename: 'invoice.pdf' }],
    ['audio', 'audio/ogg', {}],
  ])('spec, send_media: %s by URL', async (media_type, mimeType, more) => {
    const media_url = `${filesUrl}/${mimeType}`;
    const { output, runText } = await runAction(world, { ...base, ...media, media_type, media_url, ...more });
    expect(runText).toBe('Media sent successfully.');
    expect(output).toMatchObject({
      action: 'send_media',
      media_type,
      recipient: '15550007777',
      message_id: expect.any(String) as string,
    });
    expect((await lastCall())?.body).toMatchObject({
      type: media_type,
      [media_type]: { link: media_url, ...more },
    });
  });

  test('spec, media_id: id stands in for link', async () => {
    const access = { settings: world.ctx.platform, accessToken: (await world.mint()).access_token };
    const file = { name: 'a.png', mimeType: 'image/png', content: new Uint8Array(10) };
    const media_id = await uploadMedia(access, PLATFORM_IDS.booksOrders, file);
    expect(await getMedia(access, media_id)).toMatchObject({
      id: media_id,
      mimeType: 'image/png',
      bytes: 10,
    });
    await runAction(world, { ...base, ...media, media_type: 'image', media_id });
    expect((await lastCall())?.body['image']).toEqual({ id: media_id });
  });

  test.each([
    ['cannot be reached', 'image', '/nothing'],
    ['has the wrong format', 'image', '/application/pdf'],
    ['is too large', 'image', `/image/png/${5 * 1024 * 1024 + 1}`],
  ])('spec, Errors: media failure when the file %s', async (_, media_type, path) => {
    const error = await failAction(world, { ...base, ...media, media_type, media_url: filesUrl + path });
    expect(error.message).toMatch(/^Media failure: /);
    expect(error).toMatchObject({ code: 'media_failure', retry: { kind: 'never' } });
  });

  test('fields that only variables give are checked before any call', async () => {
    const before = (await world.calls()).length;
    const body = { url: `${filesUrl}/image/png`, id: '1', none: '' };
    const fail = (more: object) =>
      failAction(
        world,
        { ...base, ...media, media_type: '{{task_1_type}}', ...more },
        { body: { ...body, type: 'audio' } },
      );
    expect((await fail({ media_url: '{{task_1_url}}', caption: 'x' })).message).toBe(
      'Media failure: An audio has no caption: remove it.',
    );
    expect((await fail({ media_url: '{{task_1_url}}', filename: 'x.pdf' })).message).toMatch(
      /Only a document has a filename/,
    );
    expect((await fail({ media_url: '{{task_1_url}}', media_id: '{{task_1_id}}' })).message).toMatch(
      /either media_url or media_id/,
    );
    expect((await fail({ media_url: '{{task_1_none}}' })).message).toMatch(/Give a media_url/);
    const wrong = await failAction(
      world,
      { ...base, ...media, media_type: '{{task_1_none}}x', media_url: 'https://example.com/' },
      { body },
    );
    expect(wrong.message).toBe('The media_type is the text "x": it must be image, video, document or audio.');
    expect((await world.calls()).length).toBe(before);
  });
});

describe('recipient', () => {
  test('spec, Common fields: digits only; what people write around them is removed, and noted', async () => {
    const { output } = await runAction(
      world,
      { ...base, action: 'send_template', template_name: 'hello_world', recipient: '{{task_1_phone}}' },
      { body: { phone: ' +1 (555) 000-1111 ' } },
    );
    expect(output).toMatchObject({
      recipient: CUSTOMER,
      note: `The recipient was written as ${CUSTOMER}: digits only.`,
    });
  });

  test.each([['call me'], ['+49 abc'], ['123'], ['']])('%j fails before any call', async (phone) => {
    const before = (await world.calls()).length;
    const settings = {
      ...base,
      action: 'send_template',
      template_name: 'hello_world',
      recipient: '{{task_1_phone}}',
    };
    const error = await failAction(world, settings, { body: { phone } });
    expect(error.message).toMatch(/recipient/);
    expect((await world.calls()).length).toBe(before);
  });
});

test('statuses of a sent message are found by the message id', async () => {
  const { output } = await runAction(world, {
    ...base,
    action: 'send_template',
    template_name: 'hello_world',
  });
  const message_id = output['message_id'] as string;
  await vi.waitFor(async () => {
    const status = await runAction(world, {
      app_connection_id: base['app_connection_id'],
      action: 'get_message_status',
      message_id,
    });
    expect(status.output).toMatchObject({
      data: { status: 'delivered', timestamp: expect.any(Number) as number },
    });
  });
  expect(await findMessage(world.ctx, message_id)).toMatchObject({ recipient: CUSTOMER });
});
