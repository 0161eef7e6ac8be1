// Content only for the pictures of the docs: other specs start without it.
import { type Api, postWebhook, type Sandbox } from './http-clients.ts';
import { type SavedWorkflow, waitFor } from './seed.ts';

const PHONE = '300000000000005';
const CUSTOMER = '15550101002';

const askTasks = (connectionId: string) => {
  const sender = {
    app_connection_id: connectionId,
    phone_number_id: PHONE,
    recipient: '{{task_1_phone}}',
    wait_amount: 1,
    wait_unit: 'days',
  };
  return [
    { id: 1, type: 'inbound_webhook', name: 'Appointment made', settings: {} },
    {
      id: 2,
      type: 'ask_and_wait',
      name: 'Does it suit?',
      settings: {
        ...sender,
        question: 'Hi {{task_1_name}}, does Monday at 10:30 suit you?',
        answer_by: 'buttons',
        buttons: [{ title: 'Yes' }, { title: 'Another day' }],
      },
    },
    {
      id: 3,
      type: 'ask_and_wait',
      name: 'Which day?',
      settings: { ...sender, question: 'Which day suits you better?', answer_by: 'text' },
    },
  ];
};

/** Adds a secret, an API key and a conversation. @returns the screens that show them beside those of every workspace */
export async function seedPictures(
  api: Api,
  sandbox: Sandbox,
  connectionId: string,
): Promise<{ name: string; path: string }[]> {
  await api.post('/api-keys', {
    name: 'Nightly export',
    scope: 'read',
    expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  });
  await api.put('/secrets/shop_key', { value: 'only-for-the-picture' });
  await api.post(`/connections/${connectionId}/notifications`);
  await api.post('/workflows', {
    name: 'Tell the shop',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'New order', settings: {} },
      {
        id: 2,
        type: 'http_request',
        name: 'Tell the shop',
        settings: {
          url: 'https://shop.example.com/api/orders',
          headers: [{ name: 'Authorization', value: 'Bearer {{secret.shop_key}}' }],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  return [
    { name: 'run-conversation', path: `/runs/${await converse(api, sandbox, connectionId)}` },
    { name: 'api-reference', path: '/api-reference' },
  ];
}

interface SentMessage {
  id: string;
  text: string;
  payload: { interactive?: { action: { buttons: { reply: { id: string; title: string } }[] } } };
}

/** @returns the run of a conversation that waits for its second answer */
async function converse(api: Api, sandbox: Sandbox, connectionId: string): Promise<string> {
  const write = (message: object) =>
    sandbox.post('customer-messages', { customer: CUSTOMER, phone_number_id: PHONE, ...message });
  await write({ text: 'Hello' });
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Appointment',
    publish: true,
    tasks: askTasks(connectionId),
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'choice_2' },
    ],
  });
  await postWebhook(webhook.production_url, { phone: CUSTOMER, name: 'Kim' });
  const findMessage = (text: string) =>
    waitFor(`the message "${text}"`, async () => {
      const path = `messages?to=${CUSTOMER}`;
      const { data } = await sandbox.get<{ data: SentMessage[] }>(path);
      return data.find((message) => message.text.includes(text));
    });
  const question = await findMessage('does Monday');
  const button = question.payload.interactive?.action.buttons.at(-1)?.reply;
  await write({ reply: { ...button, message_id: question.id } });
  await findMessage('Which day');
  const { data } = await api.get<{ data: { id: string }[] }>(`/runs?workflow_id=${id}&limit=1`);
  return data[0]?.id ?? '';
}
