// A small conversation through the product and the sandbox, whose rows are what the filled ones must look like.
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '#lib/core/db/client.ts';
import { connectBooks, type Calls } from '../../server/testing/beside-sandbox.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { FillOptions } from './fill.ts';

const POLL_MS = 50;
const CUSTOMER = '15550001234';
const ANSWERING = 'Auto-reply';

interface Workflow {
  id: string;
  webhook: { production_url: string };
}

const trigger = { id: 1, type: 'inbound_webhook', settings: {} };

/**
 * A webhook sends a template, which is reported as sent and delivered; another one names no number, and its run fails; the customer answers, another workflow replies, which fails; an
 * attribute is remembered, a consent and a hold are recorded.
 */
export async function talk(calls: Calls): Promise<void> {
  const { api, control } = calls;
  const connectionId = await connectBooks(calls);
  const common = { app_connection_id: connectionId, phone_number_id: IDS.booksOrders };
  const outgoing = await api<Workflow>('POST', '/workflows', {
    name: 'Order confirmation',
    publish: true,
    tasks: [
      trigger,
      {
        id: 2,
        type: 'messaging_business',
        settings: {
          ...common,
          action: 'send_template',
          business_account_id: IDS.books,
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: '["{{task_1_customer_name}}", "{{task_1_id}}"]',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const answering = await api<Workflow>('POST', '/workflows', {
    name: ANSWERING,
    publish: true,
    tasks: [
      trigger,
      {
        id: 2,
        type: 'messaging_business',
        settings: {
          ...common,
          action: 'send_text',
          recipient: '{{task_1_from}}',
          message_text: 'You wrote: {{task_1_text}}',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api('POST', `/connections/${connectionId}/notifications`);
  await api('PUT', `/connections/${connectionId}/subscriptions/${answering.id}`, { kinds: ['messages'] });
  for (const phone of [`+${CUSTOMER}`, 'nobody']) {
    const response = await fetch(outgoing.webhook.production_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'A-17', phone, customer: { name: 'Guest' } }),
    });
    if (!response.ok) throw new Error(`The webhook was answered ${response.status}.`);
  }
  const messages = async (direction: string) =>
    (
      await control<{ data: { id: string; text: string }[] }>(
        'GET',
        `messages?direction=${direction}&to=${CUSTOMER}`,
      )
    ).data;
  await until(async () => (await messages('out')).length === 1);
  await control('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: IDS.booksOrders,
    text: 'Can I have it gift-wrapped?',
  });
  await until(async () => (await messages('out')).length === 2);
  const reply = (await messages('out')).find(({ text }) => text.startsWith('You wrote'));
  await control('POST', `messages/${reply?.id ?? ''}/status`, { status: 'failed' });
  const isMarked = async () =>
    (await api<{ data: unknown[] }>('GET', '/runs?delivery=undelivered')).data.length === 1;
  await until(isMarked);
  const hasFailed = async () =>
    (await api<{ data: unknown[] }>('GET', '/runs?status=failed')).data.length === 1;
  await until(hasFailed);
  const found = await api<{ data: { id: string }[] }>('GET', `/customers?search=${CUSTOMER}`);
  const id = found.data[0]?.id ?? '';
  await api('PUT', `/customers/${id}/attributes`, {
    attributes: [{ name: 'language', type: 'text', value: 'en' }],
  });
  await api('PUT', `/customers/${id}/consent`, { purpose: 'marketing', state: 'stopped', note: 'by phone' });
  await api('PUT', `/customers/${id}/hold`, { reason: 'A complaint' });
}

/** Of the rows of the conversation. */
export async function readFillOptions(
  pool: Pool,
): Promise<Omit<FillOptions, 'messages' | 'hasRuns' | 'say'>> {
  const { rows: connections } = await pool.query<{ id: string; workspaceId: string }>(
    'select id, workspace_id as "workspaceId" from connections',
  );
  const { rows: workflows } = await pool.query<{ id: string; name: string }>(
    'select id, name from workflows',
  );
  const { id: connectionId = '', workspaceId = '' } = connections[0] ?? {};
  return {
    workspaceId,
    connectionId,
    businessAccountId: IDS.books,
    phoneNumberIds: [IDS.booksOrders, '300000000000002', '300000000000003'],
    sendingIds: workflows.filter(({ name }) => name !== ANSWERING).map(({ id }) => id),
    answeringId: workflows.find(({ name }) => name === ANSWERING)?.id ?? '',
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('The conversation did not continue within 20 s.');
    await pause(POLL_MS);
  }
}
