import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const text = (body: string, more: object = {}) => ({ type: 'text', text: { body, ...more } });

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({
    settings: { sent_after_ms: 0, delivered_after_ms: 0, read_after_ms: 0 },
  });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const idOf = (answer: Awaited<ReturnType<TestSandbox['send']>>) => String(answer.body.messages?.[0]?.id);
const statusOf = async (id: string) => (await sandbox.graph('GET', encodeURIComponent(id))).body;
const errorOf = async (answer: ReturnType<TestSandbox['send']>) => {
  const { status, body } = await answer;
  return { status, ...(body.error as object) };
};

describe('sending', () => {
  test('a template needs no window; the answer has contacts and the message id', async () => {
    const answer = await sandbox.send(
      '+1 555 701 0123',
      templateMessage('order_confirmation', ['Guest', 'A-1']),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { messaging_product: 'whatsapp', contacts: [{ input: '+1 555 701 0123', wa_id: CUSTOMER }] },
    });
    expect(idOf(answer)).toMatch(/^wamid\./);
    const received = await sandbox.control('GET', `messages?to=${CUSTOMER}`);
    expect(received.data?.[0]).toMatchObject({
      text: 'Hi Guest, thank you for your order A-1. We will tell you when it is on its way.',
    });
  });

  test('spec, Rules 1: text needs an open window, which lasts 24 hours from the last message of the customer', async () => {
    expect(await errorOf(sandbox.send(CUSTOMER, text('Hi')))).toMatchObject({ status: 400, code: 131047 });
    await sandbox.openWindow(CUSTOMER);
    expect((await sandbox.send(CUSTOMER, text('Hi'))).status).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 86_400 - 60 });
    await sandbox.renewToken();
    expect((await sandbox.send(CUSTOMER, text('Hi'))).status).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 120 });
    expect(await errorOf(sandbox.send(CUSTOMER, text('Hi')))).toMatchObject({ code: 131047 });
  });

  test('a window belongs to one business number', async () => {
    await sandbox.openWindow(CUSTOMER);
    expect(await errorOf(sandbox.send(CUSTOMER, text('Hi'), IDS.booksSupport))).toMatchObject({
      code: 131047,
    });
  });

  test('outside the window as a late failure: 200 first, then a failed status with 131047', async () => {
    await sandbox.control('POST', 'settings', { outside_window: 'fail_later' });
    const answer = await sandbox.send(CUSTOMER, text('Hi'));
    expect(answer.status).toBe(200);
    await vi.waitFor(async () =>
      expect(await statusOf(idOf(answer))).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] }),
    );
  });

  test.each([
    ['an unknown field', { ...text('Hi'), colour: 'red' }, /Unexpected key "colour"/],
    ['an unknown field inside', text('Hi', { size: 3 }), /Unexpected key "size" on param "text"/],
    ['a missing body', { type: 'text', text: {} }, /text\['body'\] is required/],
    ['a wrong type', text('Hi', { preview_url: 'yes' }), /text\['preview_url'\] must be a boolean/],
    ['an unknown message type', { type: 'hologram', hologram: {} }, /Param type/],
    [
      'another product',
      { ...text('Hi'), messaging_product: 'pigeon' },
      /messaging_product must be one of \{whatsapp\}/,
    ],
    [
      'link and id together',
      { type: 'image', image: { link: 'http://x.example/a.png', id: '1' } },
      /either a link or an id/,
    ],
    ['neither link nor id', { type: 'image', image: {} }, /either a link or an id/],
    [
      'an unknown field of media',
      { type: 'image', image: { id: '1', colour: 'red' } },
      /Unexpected key "colour" on param "image"/,
    ],
    [
      'a caption of an audio',
      { type: 'audio', audio: { id: '1', caption: 'x' } },
      /Unexpected key "caption"/,
    ],
    [
      'a template parameter that is a number',
      templateMessage('order_confirmation', [1, 'A']),
      /\['text'\] must be a string/,
    ],
  ])('%s is refused with code 100', async (_name, message, words) => {
    await sandbox.openWindow(CUSTOMER);
    const error = await errorOf(sandbox.send(CUSTOMER, message));
    expect(error).toMatchObject({ status: 400, code: 100, message: expect.stringMatching(words) as string });
  });

  test.each([
    ['unknown name', templateMessage('no_such_template'), 404, 132001],
    ['wrong case', templateMessage('Order_Confirmation', ['a', 'b']), 404, 132001],
    ['not approved', templateMessage('summer_sale', ['a']), 404, 132001],
    ['paused', templateMessage('winter_sale', ['a']), 400, 132015],
    ['disabled', templateMessage('flash_sale', ['a']), 400, 132016],
    ['too few parameters', templateMessage('order_confirmation', ['a']), 400, 132000],
    ['too many parameters', templateMessage('order_confirmation', ['a', 'b', 'c']), 400, 132000],
    ['no header image', templateMessage('shipping_update', ['a', 'b']), 400, 132012],
    ['no button parameter', templateMessage('abandoned_cart', ['a', 'b']), 400, 131008],
    [
      'a button that is none',
      templateMessage('order_confirmation', ['a', 'b'], { type: 'button', sub_type: 'url', index: '0' }),
      400,
      132012,
    ],
  ])('template: %s', async (_name, message, status, code) => {
    expect(await errorOf(sandbox.send(CUSTOMER, message))).toMatchObject({ status, code });
  });

  test('other language: the German text; a language that is not there: 132001', async () => {
    const inLanguage = (code: string) => {
      const message = templateMessage('order_confirmation', ['Guest', 'A-1']) as {
        template: { language: { code: string } };
      };
      message.template.language.code = code;
      return sandbox.send(CUSTOMER, message);
    };
    const german = encodeURIComponent(idOf(await inLanguage('de')));
    expect(await sandbox.control('GET', `messages/${german}`)).toMatchObject({
      text: expect.stringMatching(/^Hallo Guest/) as string,
    });
    expect(await errorOf(inLanguage('fr'))).toMatchObject({ code: 132001 });
  });

  test('spec, Errors: an unknown phone number id, or the number itself, is 404', async () => {
    for (const id of ['399999999999999', '12125550101']) {
      expect(await errorOf(sandbox.send(CUSTOMER, templateMessage('hello_world'), id))).toMatchObject({
        status: 404,
        code: 100,
        error_subcode: 33,
      });
    }
  });

  test('a number that is not connected cannot send (133010)', async () => {
    expect(
      await errorOf(sandbox.send(CUSTOMER, templateMessage('hello_world'), IDS.eventsOld)),
    ).toMatchObject({ code: 133010 });
  });
});

describe('statuses', () => {
  test('sent → delivered automatically; read when the customer opens the chat', async () => {
    const id = idOf(await sandbox.send(CUSTOMER, templateMessage('hello_world')));
    await vi.waitFor(async () => expect(await statusOf(id)).toMatchObject({ id, status: 'delivered' }));
    await sandbox.control('POST', 'customer-reads', { customer: CUSTOMER, phone_number_id: IDS.booksOrders });
    const read = await statusOf(id);
    expect(read).toMatchObject({ status: 'read' });
    expect(String(read.timestamp)).toMatch(/^\d{10}$/);
    const { statuses } = await sandbox.control('GET', `messages/${encodeURIComponent(id)}`);
    expect((statuses as unknown as { status: string }[]).map(({ status }) => status)).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
  });

  test.each([
    ['15557010000', { status: 'failed', errors: [{ code: 131026 }] }],
    ['15557019901', { status: 'sent' }],
    ['15557019902', { status: 'read' }],
    ['15557019903', { status: 'failed', errors: [{ code: 131049 }] }],
  ])('special number %s', async (customer, expected) => {
    const id = idOf(await sandbox.send(customer, templateMessage('hello_world')));
    await vi.waitFor(async () => expect(await statusOf(id)).toMatchObject(expected));
  });

  test('a message that does not exist is 100/33', async () => {
    expect(await statusOf('wamid.nothing')).toMatchObject({ error: { code: 100, error_subcode: 33 } });
  });
});

describe('limits', () => {
  const hello = templateMessage('hello_world');

  test('throughput: 130429 with Retry-After', async () => {
    await sandbox.control('POST', 'settings', { messages_per_second: 1 });
    const answers = await Promise.all([1, 2, 3, 4].map((last) => sandbox.send(`1555701010${last}`, hello)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]).toMatchObject({ body: { error: { code: 130429 } } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  test('one customer: 131056 with Retry-After, and again after the wait', async () => {
    await sandbox.control('POST', 'settings', { pair_burst: 1, pair_refill_seconds: 6 });
    expect((await sandbox.send(CUSTOMER, hello)).status).toBe(200);
    const refused = await sandbox.send(CUSTOMER, hello);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 131056 } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await sandbox.control('POST', 'clock', { move_seconds: 7 });
    expect((await sandbox.send(CUSTOMER, hello)).status).toBe(200);
  });

  test('spec, Limits: an unverified business sends 250 in 24 hours, then 429 until a day has passed', async () => {
    await sandbox.control('POST', 'settings', { messages_per_second: 1000 });
    for (let count = 0; count < 250; count += 1) {
      const customer = `1555702${String(count + 1000).padStart(4, '1')}`;
      expect((await sandbox.send(customer, hello, IDS.bakeryCounter)).status, String(count)).toBe(200);
    }
    expect(await errorOf(sandbox.send(CUSTOMER, hello, IDS.bakeryCounter))).toMatchObject({
      status: 429,
      code: 80007,
    });
    expect((await sandbox.send(CUSTOMER, hello)).status).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 86_401 });
    await sandbox.renewToken();
    expect((await sandbox.send(CUSTOMER, hello, IDS.bakeryCounter)).status).toBe(200);
  }, 30_000);
});

describe('marking as read', () => {
  const mark = (id: unknown, phoneId: string = IDS.booksOrders) =>
    sandbox.graph('POST', `${phoneId}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: id,
    });

  test('success, and the customer sees it', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    expect((await mark(id)).body).toEqual({ success: true });
    const page = await (await fetch(`${sandbox.url}/phone/${CUSTOMER}`)).text();
    expect(page).toMatch(/class="bubble mine[\s\S]*?ticks read/);
  });

  test('a message of another number, or an outgoing one, is 131009', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    expect((await mark(id, IDS.booksSupport)).body.error).toMatchObject({ code: 131009 });
    const outgoing = idOf(await sandbox.send(CUSTOMER, templateMessage('hello_world')));
    expect((await mark(outgoing)).body.error).toMatchObject({ code: 131009 });
  });
});
