// A workspace with content for every screen.
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, postWebhook, type Sandbox } from './http-clients.ts';

export interface SavedWorkflow {
  id: string;
  name: string;
  tasks: { id: number; type: string; settings: Record<string, unknown> }[];
  webhook: { production_url: string; test_url: string };
}

interface Page<Item> {
  data: Item[];
}

interface RunSummary {
  id: string;
  status: string;
}

const ACCOUNT = '200000000000004';
const SENDER = '300000000000005';
const POLL_MS = 100;
const DEADLINE_MS = 60_000;

/** Creates a connection with tokens of the sandbox, without its login; an existing one is kept. */
export async function connectAccount(
  api: Api,
  sandbox: Sandbox,
  name: string,
  businessAccountId: string,
): Promise<string> {
  const { data } = await api.get<Page<{ id: string; business_account_id: string | null }>>('/connections');
  const known = data.find((connection) => connection.business_account_id === businessAccountId);
  if (known) return known.id;
  const tokens = await sandbox.post<{ access_token: string; refresh_token: string }>('tokens');
  const { id } = await api.post<{ id: string }>('/connections', {
    name,
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    business_account_id: businessAccountId,
  });
  return id;
}

/** Polls until the response meets the condition. @throws Error that names the condition */
export async function waitFor<Value>(what: string, ask: () => Promise<Value | undefined>): Promise<Value> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await pause(POLL_MS);
  }
}

/** Waits for the end of the newest run of a workflow. */
export const waitForRun = (api: Api, workflowId: string): Promise<RunSummary> =>
  waitFor('the run to end', async () => {
    const { data } = await api.get<Page<RunSummary>>(`/runs?workflow_id=${workflowId}&limit=1`);
    const run = data[0];
    return run && ['succeeded', 'failed', 'cancelled'].includes(run.status) ? run : undefined;
  });

const orderTasks = (connectionId: string) => [
  { id: 1, type: 'inbound_webhook', name: 'New order', settings: {} },
  {
    id: 2,
    type: 'if_condition',
    name: 'Has a number?',
    settings: { conditions: [{ left: '{{task_1_customer_phone}}', operator: 'is_not_empty' }] },
  },
  {
    id: 3,
    type: 'messaging_business',
    name: 'Confirm the order',
    settings: {
      action: 'send_template',
      app_connection_id: connectionId,
      business_account_id: ACCOUNT,
      phone_number_id: SENDER,
      recipient: '{{task_1_customer_phone}}',
      template_name: 'order_confirmation',
      template_parameters: ['{{task_1_customer_name}}', '{{task_1_order_number}}'],
    },
  },
  { id: 4, type: 'loop', name: 'Each line', settings: { items: '{{task_1_lines}}' } },
  {
    id: 5,
    type: 'set_variables',
    name: 'Line as text',
    settings: { variables: [{ name: 'line', value: '{{task_4_item_quantity}} × {{task_4_item_title}}' }] },
  },
];

const EMPTY = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings: {} }], edges: [] };

const order = (number: number, phone: string) => ({
  order: { number: `A-${number}`, total: 184.35 },
  customer: { name: 'Sample Customer', phone },
  lines: [
    { title: 'Sea stories', quantity: 1 },
    { title: 'Harbour maps', quantity: 2 },
  ],
});

export interface Seeded {
  connectionId: string;
  workflowId: string;
  failedRunId: string;
  succeededRunId: string;
  rejectedEventId: string;
  acceptedEventId: string;
  messageId: string;
  customerId: string;
  listId: string;
  /** Of the workflow whose messages are in the reports: they are counted once a minute. */
  remindersId: string;
}

/** Sends three messages, of which one fails and one is answered. */
async function seedReports(api: Api, sandbox: Sandbox, connection: string): Promise<string> {
  const customer = '15550104077';
  await api.post(`/connections/${connection}/notifications`);
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Counted reminders',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Remind',
        settings: {
          action: 'send_template',
          app_connection_id: connection,
          business_account_id: ACCOUNT,
          phone_number_id: SENDER,
          recipient: '{{task_1_phone}}',
          template_name: 'hello_world',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  // The last one has no account at the platform.
  for (const phone of [customer, customer, '15550110000'])
    await postWebhook(webhook.production_url, { phone });
  await waitFor('three messages', async () => {
    const { data } = await api.get<Page<RunSummary>>(`/runs?workflow_id=${id}`);
    return data.filter(({ status }) => status === 'succeeded').length === 3 || undefined;
  });
  await sandbox.post('customer-messages', { customer, phone_number_id: SENDER, text: 'Thanks' });
  return id;
}

/** Fills a fresh workspace; can be done once for an installation. */
export async function seed(api: Api, sandbox: Sandbox): Promise<Seeded> {
  const connectionId = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const remindersId = await seedReports(api, sandbox, connectionId);
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Order confirmation',
    tasks: orderTasks(connectionId),
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'true' },
      { from: 3, to: 4 },
      { from: 4, to: 5, branch: 'each' },
    ],
  });
  await api.post(`/workflows/${workflow.id}/publish`);
  const { production_url: url, test_url: testUrl } = workflow.webhook;
  await postWebhook(testUrl, order(1000, '15550101001'));
  await postWebhook(url, '{"order": ');
  // No number: the message fails without an attempt.
  await postWebhook(url, order(1001, '15550109904x'));
  const failed = await waitForRun(api, workflow.id);
  await postWebhook(url, order(1002, '15550101001'));
  const succeeded = await waitFor('the second run', async () => {
    const run = await waitForRun(api, workflow.id);
    return run.id === failed.id ? undefined : run;
  });
  const findFirst = async (path: string) => (await api.get<Page<{ id: string }>>(path)).data[0]?.id ?? '';
  const { messages } = await api.get<{ messages: { id: string }[] }>(`/runs/${succeeded.id}`);
  const list = await api.post<{ id: string }>(`/workflows/${workflow.id}/lists`, {
    name: 'Guests of the reading',
    rows: ['+1 555 010 1001', '+1 555 010 1004', 'no number'].map((phone) => ({
      phone,
      name: 'Sample Customer',
    })),
  });
  const customer = await waitFor('the customer', async () => {
    const { data } = await api.get<Page<{ id: string }>>('/customers?search=15550101001');
    return data[0];
  });
  const deleted = await api.post<SavedWorkflow>('/workflows', { name: 'Old reminder', ...EMPTY });
  await api.delete(`/workflows/${deleted.id}`);
  return {
    connectionId,
    workflowId: workflow.id,
    failedRunId: failed.id,
    succeededRunId: succeeded.id,
    rejectedEventId: await findFirst('/events?outcome=rejected&limit=1'),
    acceptedEventId: await findFirst('/events?outcome=triggered&limit=1'),
    messageId: messages[0]?.id ?? '',
    customerId: customer.id,
    listId: list.id,
    remindersId,
  };
}

/** Every screen of the studio that can be reached by an address. */
export const listScreens = (seeded: Seeded): { name: string; path: string }[] => [
  { name: 'workflows', path: '/workflows' },
  { name: 'gallery', path: '/gallery' },
  { name: 'editor', path: `/workflows/${seeded.workflowId}` },
  { name: 'runs', path: '/runs' },
  { name: 'run', path: `/runs/${seeded.succeededRunId}` },
  { name: 'run-failed', path: `/runs/${seeded.failedRunId}` },
  { name: 'events', path: '/events' },
  { name: 'event', path: `/events/${seeded.rejectedEventId}` },
  { name: 'event-accepted', path: `/events/${seeded.acceptedEventId}` },
  { name: 'customers', path: '/customers' },
  { name: 'customer', path: `/customers/${seeded.customerId}` },
  { name: 'message', path: `/messages/${seeded.messageId}` },
  { name: 'lists', path: `/workflows/${seeded.workflowId}/lists` },
  { name: 'list', path: `/workflows/${seeded.workflowId}/lists/${seeded.listId}` },
  { name: 'trash', path: '/workflows/trash' },
  { name: 'connections', path: '/connections' },
  { name: 'connection-new', path: '/connections/new' },
  { name: 'connection', path: `/connections/${seeded.connectionId}` },
  { name: 'message-templates', path: '/message-templates' },
  { name: 'message-template-new', path: '/message-templates/new' },
  { name: 'reports', path: '/reports' },
  { name: 'settings-account', path: '/settings/account' },
  { name: 'settings-members', path: '/settings/members' },
  { name: 'settings-sign-in', path: '/settings/sign-in' },
  { name: 'settings-api-keys', path: '/settings/api-keys' },
  { name: 'settings-mail', path: '/settings/mail' },
  { name: 'settings-retention', path: '/settings/retention' },
  { name: 'settings-consent', path: '/settings/consent' },
  { name: 'settings-prices', path: '/settings/prices' },
  { name: 'settings-time', path: '/settings/time' },
  { name: 'settings-audit-log', path: '/settings/audit-log' },
  { name: 'settings-alerts', path: '/settings/alerts' },
  { name: 'settings-alerts-workflow', path: `/settings/alerts/${seeded.workflowId}` },
  { name: 'settings-secrets', path: '/settings/secrets' },
  { name: 'settings-workspace', path: '/settings/workspace' },
  { name: 'settings-health', path: '/settings/health' },
];
