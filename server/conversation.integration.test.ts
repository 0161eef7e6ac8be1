// A conversation through the running product and the sandbox: a webhook sends a message template to the customer's phone, and
// the answer starts a second workflow, which marks it as read and replies within the window.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { IDS } from '../sandbox/data/businesses.ts';
import { connectBooks } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const CUSTOMER = '15550001234';
/** The number of Harbour Street Books. */
const PHONE = IDS.booksOrders;

let server: TestProduct;

beforeAll(async () => {
  server = await startTestProduct();
});

afterAll(() => server.stop());

interface Workflow {
  id: string;
  webhook: { production_url: string };
}

interface Message {
  id: string;
  type: string;
  text: string;
  direction: string;
  seen_by_business?: boolean;
}

const messages = async (): Promise<Message[]> =>
  (await server.control<{ data: Message[] }>('GET', `messages?to=${CUSTOMER}`)).data;

const postJson = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const messagingTask = (id: number, settings: Record<string, unknown>) => ({
  id,
  type: 'messaging_business',
  settings,
});

test('a webhook sends a message template in under a second; the answer is marked as read and replied to', async () => {
  const { api, control } = server;
  const connectionId = await connectBooks(server);
  const common = { app_connection_id: connectionId, phone_number_id: PHONE };
  const outgoing = await api<Workflow>('POST', '/workflows', {
    name: 'Order confirmation',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      messagingTask(2, {
        ...common,
        action: 'send_template',
        business_account_id: IDS.books,
        recipient: '{{task_1_phone}}',
        template_name: 'order_confirmation',
        template_parameters: '["{{task_1_customer_name}}", "{{task_1_id}}"]',
      }),
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const answering = await api<Workflow>('POST', '/workflows', {
    name: 'Auto-reply',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      messagingTask(2, { ...common, action: 'mark_as_read', message_id: '{{task_1_message_id}}' }),
      messagingTask(3, {
        ...common,
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'You wrote: {{task_1_text}}',
      }),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  await api('POST', `/connections/${connectionId}/notifications`);
  await api('PUT', `/connections/${connectionId}/subscriptions/${answering.id}`, { kinds: ['messages'] });

  const posted = performance.now();
  const answer = await postJson(outgoing.webhook.production_url, {
    id: 'A-17',
    phone: `+${CUSTOMER}`,
    customer: { name: 'Guest' },
  });
  expect(answer.status).toBe(200);
  await vi.waitFor(async () => expect(await messages()).toHaveLength(1), { timeout: 5000, interval: 10 });
  expect(performance.now() - posted).toBeLessThan(1000);
  expect((await messages())[0]).toMatchObject({
    type: 'template',
    text: expect.stringContaining('order A-17') as string,
  });

  await control('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'Can I have it gift-wrapped?',
  });
  await vi.waitFor(
    async () => {
      const all = await messages();
      expect(all.find((message) => message.text === 'You wrote: Can I have it gift-wrapped?')).toMatchObject({
        type: 'text',
      });
      expect(all.find((message) => message.text === 'Can I have it gift-wrapped?')?.seen_by_business).toBe(
        true,
      );
    },
    { interval: 25 },
  );
  await vi.waitFor(async () => {
    const path = `/runs?workflow_id=${answering.id}`;
    const { data: runs } = await api<{ data: { status: string }[] }>('GET', path);
    expect(runs.map((run) => run.status)).toEqual(['succeeded']);
  });
});
