// After an erasure no column of the database and no stored file says who the customer was: everything is made by the running
// product, as conversations make it, and then every row is searched for every spelling.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Spellings } from '#lib/workflows/erasure/spellings.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { userIdOf } from '../sandbox/user-ids.ts';
import { connectBooks } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const NUMBER = '4917155501234';
const NAME = 'Philomena Quitterie';
const OTHER = '4917155505678';
/** The number of Harbour Street Books. */
const PHONE = IDS.booksOrders;

let server: TestProduct;
const mediaFolder = mkdtempSync(join(tmpdir(), 'erasure-media-'));

beforeAll(async () => {
  server = await startTestProduct({ settings: { MEDIA_FOLDER: mediaFolder } });
});
afterAll(() => server.stop());

interface Workflow {
  id: string;
  webhook: { production_url: string };
}

interface Erased {
  erasure: { id: string; finished_at: string | null; counts: Record<string, number> } | null;
  counts: Record<string, number>;
}

const messagesTo = async (customer: string): Promise<{ id: string; text: string }[]> =>
  (
    await server.control<{ data: { id: string; text: string }[] }>(
      'GET',
      `messages?direction=out&to=${customer}`,
    )
  ).data;

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer': `+${NUMBER}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const writes = (customer: string, content: object): Promise<unknown> =>
  server.control('POST', 'customer-messages', { customer, phone_number_id: PHONE, ...content });

const until = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 });

const task = (id: number, type: string, settings: object, name = `Task ${id}`) => ({
  id,
  type,
  name,
  settings,
});
const chain = (...ids: number[]) => ids.slice(1).map((to, index) => ({ from: ids[index], to }));

/** Every row that has text in it, of every table, as `table.column: text`. */
async function dump(): Promise<string[]> {
  const { rows: columns } = await server.db.$client.query<{
    schema: string;
    table: string;
    column: string;
    type: string;
  }>(
    `select table_schema as schema, table_name as table, column_name as column, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('information_schema', 'pg_catalog')
       and (data_type in ('text', 'json', 'jsonb', 'bytea', 'character varying', 'ARRAY', 'character', 'USER-DEFINED'))`,
  );
  const found: string[] = [];
  for (const { schema, table, column, type } of columns) {
    const { rows } = await server.db.$client.query<{ value: Buffer | string }>(
      `select ${type === 'bytea' ? `"${column}"` : `"${column}"::text`} as value from "${schema}"."${table}" where "${column}" is not null`,
    );
    for (const { value } of rows)
      found.push(`${table}.${column}: ${typeof value === 'string' ? value : value.toString('utf8')}`);
  }
  return found;
}

const who = new Spellings({ names: [NUMBER, userIdOf(NUMBER)], words: [NAME] });
/** The digits alone, without any rule of what is a number. */
const holds = (text: string): boolean =>
  who.isIn(text) || who.clean(text, true) !== text || text.replaceAll(/\D/g, '').includes(NUMBER);

const found = async (): Promise<string[]> => (await dump()).filter((line) => holds(line));

/** What is stored of files, of which each was sent by the customer. */
const listFiles = (): string[] =>
  readdirSync(mediaFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .filter(holds);

test('after an erasure the database and the files say nothing of the customer', async () => {
  const { api } = server;
  const connectionId = await connectBooks(server);
  const common = { app_connection_id: connectionId, phone_number_id: PHONE };
  const template = {
    ...common,
    action: 'send_template',
    business_account_id: IDS.books,
    template_name: 'order_confirmation',
  };
  const create = (name: string, tasks: object[], edges: object[]) =>
    api<Workflow>('POST', '/workflows', { name, publish: true, tasks, edges });
  const trigger = (settings: object = {}) => task(1, 'inbound_webhook', settings);
  const confirming = await create(
    'Order confirmation',
    [
      trigger(),
      task(2, 'messaging_business', {
        ...template,
        recipient: '{{task_1_phone}}',
        template_parameters: '["{{task_1_customer_name}}", "{{task_1_id}}"]',
      }),
    ],
    chain(1, 2),
  );
  const answering = await create(
    'Auto-reply',
    [
      trigger(),
      task(2, 'messaging_business', {
        ...common,
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Hello {{task_1_from_name}}, you are {{task_1_from}}.',
      }),
    ],
    chain(1, 2),
  );
  const asking = await create(
    'Question',
    [
      trigger(),
      task(2, 'ask_and_wait', {
        ...common,
        recipient: '{{task_1_phone}}',
        question: 'Tomorrow, {{task_1_name}}?',
        answer_by: 'buttons',
        buttons: [{ title: 'Yes' }, { title: 'No' }],
        wait_amount: 1,
        wait_unit: 'days',
      }),
    ],
    [{ from: 1, to: 2 }],
  );
  const listing = await create(
    'Everyone',
    [
      trigger(),
      task(2, 'loop', { items: '{{task_1.JSON.people}}', pause_seconds: 0, on_item_failure: 'continue' }),
      task(3, 'messaging_business', {
        ...template,
        recipient: '{{task_2_item_phone}}',
        template_parameters: '["{{task_2_item_name}}", "L-1"]',
      }),
    ],
    [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
    ],
  );
  const waiting = await create(
    'Later',
    [
      trigger(),
      task(2, 'delay', { mode: 'for', amount: 2, unit: 'hours', until: '' }),
      task(3, 'messaging_business', {
        ...template,
        recipient: '{{task_1_phone}}',
        template_parameters: '["A", "B"]',
      }),
    ],
    chain(1, 2, 3),
  );
  const failing = await create(
    'Refused',
    [
      trigger(),
      task(2, 'messaging_business', {
        ...template,
        recipient: '{{task_1_phone}}',
        template_name: 'no_such_template_{{task_1_phone}}',
        template_parameters: '[]',
      }),
    ],
    chain(1, 2),
  );
  const files = await create(
    'Files',
    [
      trigger(),
      task(2, 'messaging_business_more', {
        app_connection_id: connectionId,
        action: 'get_media',
        media_id: '{{task_1_media_id}}',
        filename: '{{task_1_from}}.txt',
      }),
    ],
    chain(1, 2),
  );
  await api('POST', `/connections/${connectionId}/notifications`);
  for (const { id } of [answering, files])
    await api('PUT', `/connections/${connectionId}/subscriptions/${id}`, { kinds: ['messages'] });

  const spelled = `+49 171 555 01234`;
  for (const phone of [NUMBER, OTHER])
    await post(confirming.webhook.production_url, {
      id: 'A-17',
      phone: `+${phone}`,
      customer: { name: NAME },
    });
  await until(async () => {
    expect(await messagesTo(NUMBER)).toHaveLength(1);
    expect(await messagesTo(OTHER)).toHaveLength(1);
  });
  await writes(NUMBER, { text: `I am ${NAME}, call 0171 555 01234.`, name: NAME });
  await writes(NUMBER, {
    media: {
      kind: 'document',
      base64: Buffer.from(`My number is ${NUMBER}`).toString('base64'),
      mime_type: 'text/plain',
      filename: `${NUMBER}.txt`,
    },
  });
  await writes(OTHER, { text: 'I am somebody else.', name: 'Somebody Else' });
  await until(async () => {
    expect(await messagesTo(NUMBER)).toHaveLength(3);
    expect(await messagesTo(OTHER)).toHaveLength(2);
  });
  await post(asking.webhook.production_url, { phone: spelled, name: NAME });
  await post(`${confirming.webhook.production_url}?phone=%2B49%20171%20555%2001234`, `not json ${spelled}`);
  await post(failing.webhook.production_url, { phone: NUMBER });
  await post(waiting.webhook.production_url, { phone: NUMBER });
  await post(listing.webhook.production_url, {
    people: [
      { phone: spelled, name: NAME },
      { phone: OTHER, name: 'Somebody Else' },
    ],
  });
  await until(async () => {
    expect(await messagesTo(NUMBER)).toHaveLength(5);
    expect(await messagesTo(OTHER)).toHaveLength(3);
  });
  await api('PUT', `/customers/${NUMBER}/consent`, {
    purpose: 'all',
    state: 'stopped',
    note: `By ${spelled}`,
  });
  await api('PUT', `/customers/${NUMBER}/hold`, { hours: 2, reason: `Calls ${NAME} at ${spelled}` });
  await api('GET', `/customers?search=${NUMBER}`);
  const runsOf = async (id: string) =>
    (await api<{ data: { id: string; status: string }[] }>('GET', `/runs?workflow_id=${id}`)).data;
  await until(async () => {
    expect((await runsOf(asking.id))[0]?.status).toBe('waiting');
    expect((await runsOf(waiting.id))[0]?.status).toBe('waiting');
    expect((await runsOf(listing.id))[0]?.status).toBe('succeeded');
    expect((await runsOf(failing.id))[0]?.status).toBe('failed');
    expect((await runsOf(files.id)).map(({ status }) => status)).toContain('succeeded');
  });
  expect(listFiles()).toHaveLength(1);

  expect((await found()).length).toBeGreaterThan(20);
  const preview = await api<Erased>('DELETE', `/customers/${NUMBER}?preview=true`);
  expect(preview.erasure).toBeNull();
  expect(preview.counts).toMatchObject({
    messages_sent: 5,
    messages_received: 2,
    files: 1,
    holds: 2,
    names: 2,
  });
  expect((await found()).length).toBeGreaterThan(20);

  const exported = await api<Record<string, unknown[]>>('GET', `/customers/${NUMBER}/export`);
  expect(exported).toMatchObject({ hold: { reason: `Calls ${NAME} at ${spelled}` } });
  expect(exported['messages_sent']).toHaveLength(5);
  expect(exported['messages_received']).toHaveLength(2);
  expect(JSON.stringify(exported)).toContain('call 0171 555 01234.');
  expect(JSON.stringify(exported)).not.toContain(OTHER);

  const { erasure } = await api<Erased>('DELETE', `/customers/${NUMBER}`);
  await until(async () => {
    const { data } = await api<{ data: NonNullable<Erased['erasure']>[] }>('GET', '/erasures');
    expect(data.find(({ id }) => id === erasure?.id)?.finished_at).not.toBeNull();
  });
  expect(await found()).toEqual([]);
  expect(listFiles()).toEqual([]);

  // What is of others stays.
  const texts = await dump();
  expect(texts.some((line) => line.includes(OTHER))).toBe(true);
  expect((await runsOf(listing.id)).map(({ status }) => status)).toEqual(['succeeded']);
  expect(await messagesTo(NUMBER)).toHaveLength(5);

  // A stop survives, although nothing says whose it is; consent that is given later counts.
  const confirm = async (status: string): Promise<void> => {
    const before = (await runsOf(confirming.id)).length;
    await post(confirming.webhook.production_url, { id: 'A-18', phone: NUMBER, customer: { name: 'X' } });
    await until(async () => {
      const runs = await runsOf(confirming.id);
      expect(runs).toHaveLength(before + 1);
      expect(runs[0]?.status).toBe(status);
    });
  };
  await confirm('failed');
  expect(await messagesTo(NUMBER)).toHaveLength(5);
  await api('PUT', `/customers/${NUMBER}/consent`, { purpose: 'all', state: 'given' });
  await confirm('succeeded');
  expect(await messagesTo(NUMBER)).toHaveLength(6);
}, 120_000);
