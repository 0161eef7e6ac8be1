import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ settings: { template_review_ms: 0 } });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

type Row = { id: string; name: string; status: string; rejected_reason: string };
const list = async (query: string, accountId: string = IDS.books) =>
  (await sandbox.graph('GET', `${accountId}/message_templates?${query}`)).body;
const rowsOf = (body: unknown) => (body as { data: Row[] }).data;
const nextOf = (body: unknown) => (body as { paging: { next?: string; cursors: { after: string } } }).paging;

const body = {
  type: 'BODY',
  text: 'Hello {{1}}, see {{2}} soon.',
  example: { body_text: [['Guest', 'us']] },
};
const create = (fields: object, accountId: string = IDS.books) =>
  sandbox.graph('POST', `${accountId}/message_templates`, {
    name: 'brand_new',
    language: 'en_US',
    category: 'UTILITY',
    components: [body],
    ...fields,
  });

describe('listing', () => {
  test('pages of 25 by default; next is absent on the last page though a cursor is there', async () => {
    const first = await list('fields=name');
    expect(rowsOf(first)).toHaveLength(25);
    expect(nextOf(first).next).toContain('after=');
    const answer = await fetch(nextOf(first).next ?? '', {
      headers: { authorization: `Bearer ${sandbox.token()}` },
    });
    const second = (await answer.json()) as unknown;
    expect(rowsOf(second).length).toBeGreaterThan(0);
    expect(nextOf(second).next).toBeUndefined();
    expect(nextOf(second).cursors.after).toBeTruthy();
    const all = rowsOf(await list('limit=1000'));
    expect([...rowsOf(first), ...rowsOf(second)].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('every status is there, and status filters', async () => {
    const statuses = new Set(rowsOf(await list('limit=100')).map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['APPROVED', 'DISABLED', 'PAUSED', 'PENDING', 'REJECTED']);
    const rejected = rowsOf(await list('status=REJECTED&fields=status,rejected_reason'));
    expect(rejected.map(({ rejected_reason: reason }) => reason).sort()).toEqual(['INVALID_FORMAT', 'SCAM']);
  });

  test('only the fields that were asked for, and the id; an unknown field or a bad limit is refused', async () => {
    expect(Object.keys(rowsOf(await list('fields=name,status&limit=1'))[0] ?? {}).sort()).toEqual([
      'id',
      'name',
      'status',
    ]);
    expect(await list('fields=colour')).toMatchObject({ error: { code: 100 } });
    expect(await list('limit=many')).toMatchObject({ error: { code: 100 } });
  });
});

describe('creating', () => {
  test('PENDING at first, APPROVED after the review, and then it can be sent', async () => {
    const sent = async (name: string) =>
      (await sandbox.send('15557010123', templateMessage(name, ['Guest', 'us']))).status;
    await sandbox.control('POST', 'settings', { template_review_ms: 3_600_000 });
    const created = await create({});
    expect(created).toMatchObject({ status: 200, body: { status: 'PENDING', category: 'UTILITY' } });
    expect(await sent('brand_new')).toBe(404);
    await sandbox.control('POST', 'settings', { template_review_ms: 50 });
    await create({ name: 'reviewed_soon' });
    await vi.waitFor(async () =>
      expect(rowsOf(await list('name=reviewed_soon'))[0]).toMatchObject({ status: 'APPROVED' }),
    );
    expect(await sent('reviewed_soon')).toBe(200);
  });

  test('a name containing reject is REJECTED with a reason', async () => {
    await create({ name: 'please_reject_me' });
    await vi.waitFor(async () =>
      expect(rowsOf(await list('name=please_reject_me&fields=status,rejected_reason'))[0]).toMatchObject({
        status: 'REJECTED',
        rejected_reason: 'INVALID_FORMAT',
      }),
    );
  });

  const url = (more: object) => ({ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', ...more }] });
  const components = (...others: object[]) => ({ components: [body, ...others] });

  test('header, footer and three buttons are taken', async () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Look', url: 'https://example.com/{{1}}', example: ['https://example.com/1'] },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12125550101' },
    ];
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::handle'] } };
    const answer = await create(
      components(header, { type: 'FOOTER', text: 'Bye' }, { type: 'BUTTONS', buttons }),
    );
    expect(answer.status).toBe(200);
  });

  test.each([
    ['upper case in the name', { name: 'Brand_New' }, /lowercase/],
    ['digits in the name (spec)', { name: 'brand_2' }, /lowercase/],
    ['a name that exists', { name: 'hello_world' }, /already/],
    ['an unknown category', { category: 'FUN' }, /category/],
    ['an unknown field', { colour: 'red' }, /colour/],
    ['no body', { components: [{ type: 'FOOTER', text: 'Bye' }] }, /BODY/],
    ['a body that is too long', { components: [{ type: 'BODY', text: 'x'.repeat(1025) }] }, /1024/],
    [
      'a gap in the numbers',
      { components: [{ ...body, text: 'Hi {{1}} and {{3}} there.' }] },
      /without gaps/,
    ],
    [
      'a variable at the start',
      { components: [{ ...body, text: '{{1}} and {{2}} there.' }] },
      /start or end/,
    ],
    ['a variable at the end', { components: [{ ...body, text: 'Hi {{1}} and {{2}}' }] }, /start or end/],
    [
      'adjacent variables',
      { components: [{ ...body, text: 'Hi {{1}} {{2}} there.' }] },
      /next to each other/,
    ],
    ['a missing example', { components: [{ type: 'BODY', text: 'Hi {{1}} there.' }] }, /example/],
    ['a media header without a sample', components({ type: 'HEADER', format: 'IMAGE' }), /header_handle/],
    ['a long header', components({ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }), /60/],
    ['a footer with a variable', components({ type: 'FOOTER', text: 'Bye {{1}}.' }), /variables/],
    [
      'four buttons (spec: three)',
      components({
        type: 'BUTTONS',
        buttons: Array.from({ length: 4 }, () => ({ type: 'QUICK_REPLY', text: 'Yes' })),
      }),
      /three/,
    ],
    [
      'a long button',
      components({ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'x'.repeat(26) }] }),
      /25/,
    ],
    ['a URL button without a URL', components(url({})), /url/],
    [
      'a variable in the middle of a URL',
      components(url({ url: 'https://example.com/{{1}}/x', example: ['x'] })),
      /at its end/,
    ],
    ['a URL variable without an example', components(url({ url: 'https://example.com/{{1}}' })), /example/],
  ])('%s is refused with code 100', async (_name, fields, words) => {
    const answer = await create(fields);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(JSON.stringify(answer.body.error)).toMatch(words);
  });
});

test('the control API sets a status; deleting removes all languages', async () => {
  const [template] = rowsOf(await list('name=hello_world'));
  await sandbox.control('POST', `templates/${template?.id}`, { status: 'PAUSED' });
  const refused = await sandbox.send('15557010123', templateMessage('hello_world'));
  expect(refused.body.error).toMatchObject({ code: 132015 });
  expect(
    (await sandbox.graph('DELETE', `${IDS.books}/message_templates?name=order_confirmation`)).body,
  ).toEqual({ success: true });
  expect(rowsOf(await list('name=order_confirmation'))).toEqual([]);
});
