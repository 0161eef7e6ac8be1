// The two workflows that are under load: one whose tasks only compute and wait, and one that sends a message to a customer of
// its own.
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Product } from './product.ts';

export interface Workflow {
  id: string;
  webhook: { production_url: string };
}

/** Makes the two workflows and a connection to the sandbox's books shop, and publishes them. */
export async function prepareWorkflows(
  product: Pick<Product, 'base' | 'call' | 'sandbox'>,
): Promise<{ computing: Workflow; sending: Workflow }> {
  const api = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
    product.call(method, `${product.base}/api/v1${path}`, body);
  const control = (method: string, path: string, body?: unknown) =>
    product.call<{ access_token: string; refresh_token: string; expires_in: number }>(
      method,
      `${product.sandbox.url}/__sandbox/${path}`,
      body,
    );
  const tokens = await control('POST', 'tokens', {});
  const { id: connection } = await api<{ id: string }>('POST', '/connections', {
    name: 'Books',
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_in: tokens.expires_in,
    business_account_id: IDS.books,
  });
  const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
  const computing = await api<Workflow>('POST', '/workflows', {
    name: 'Compute and wait',
    publish: true,
    tasks: [
      trigger,
      {
        id: 2,
        type: 'set_variables',
        settings: { variables: [{ name: 'text', value: 'Order {{task_1_id}}' }] },
      },
      { id: 3, type: 'loop', settings: { count: 2, pause_seconds: 0.02 } },
      {
        id: 4,
        type: 'set_variables',
        settings: { variables: [{ name: 'copy', value: '{{task_2_text}}' }] },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4, branch: 'each' },
    ],
  });
  const sending = await api<Workflow>('POST', '/workflows', {
    name: 'Confirm',
    publish: true,
    tasks: [
      trigger,
      {
        id: 2,
        type: 'messaging_business',
        settings: {
          app_connection_id: connection,
          phone_number_id: IDS.booksOrders,
          action: 'send_template',
          business_account_id: IDS.books,
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: '["Guest", "{{task_1_id}}"]',
        },
      },
      { id: 3, type: 'set_variables', settings: { variables: [{ name: 'done', value: 'yes' }] } },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  return { computing, sending };
}
