// The workflows of chaos runs, created through the API.
import { IDS } from '../../sandbox/data/businesses.ts';
import { type Calls, connectBooks } from '../../server/testing/beside-sandbox.ts';

export interface Workflow {
  id: string;
  webhook: { production_url: string };
}

export interface Workflows {
  /** Computes and waits. */
  computing: Workflow;
  /** Sends messages to the customer in the webhook, one after another (`MESSAGES_OF_AN_ORDER`). */
  sending: Workflow;
  /** Started by messages of customers. */
  answering: Workflow;
}

/** Task runs of a succeeded run of `computing`: the trigger, a task, the loop, and its content twice. */
export const COMPUTING_TASK_RUNS = 5;

/** Each has the order's id with its number in its text: `C-7.2`. The id of the task that sends it is the next number. */
export const MESSAGES_OF_AN_ORDER = 4;
/** Delay of the platform's responses, so that some sends are always in progress. */
const ANSWER_MS = 400;

export const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
const text = (id: number, name: string, value: string) => ({
  id,
  type: 'set_variables',
  settings: { variables: [{ name, value }] },
});

/** The URL to which everything is redelivered until it is answered with 2xx. */
export const NOTIFICATION_RETRY_MS = [
  200,
  500,
  1000,
  1000,
  1000,
  1000,
  1000,
  ...Array.from({ length: 13 }, () => 4000),
];

/** Creates and publishes them, with a connection to the sandbox's bookshop. */
export async function prepareWorkflows(calls: Calls): Promise<Workflows> {
  const { api, control } = calls;
  await control('POST', 'settings', { notification_retry_ms: NOTIFICATION_RETRY_MS });
  const connection = await connectBooks(calls);
  const computing = await createComputing(calls, 0.02);
  const sending = await api<Workflow>('POST', '/workflows', {
    name: 'Confirm',
    publish: true,
    tasks: [
      trigger,
      ...Array.from({ length: MESSAGES_OF_AN_ORDER }, (_, index) => confirm(connection, index + 1)),
    ],
    edges: Array.from({ length: MESSAGES_OF_AN_ORDER }, (_, index) => ({ from: index + 1, to: index + 2 })),
  });
  const answering = await api<Workflow>('POST', '/workflows', {
    name: 'Answer',
    publish: true,
    tasks: [trigger, text(2, 'asked', '{{task_1_text}}')],
    edges: [{ from: 1, to: 2 }],
  });
  await api('POST', `/connections/${connection}/notifications`);
  await api('PUT', `/connections/${connection}/subscriptions/${answering.id}`, { kinds: ['messages'] });
  return { computing, sending, answering };
}

/** After a send with an unknown outcome the next one is still sent. */
const confirm = (connection: string, number: number) => ({
  id: number + 1,
  type: 'messaging_business',
  on_failure: 'continue',
  settings: {
    app_connection_id: connection,
    phone_number_id: IDS.booksOrders,
    action: 'send_template',
    business_account_id: IDS.books,
    recipient: '{{task_1_phone}}',
    template_name: 'order_confirmation',
    template_parameters: `["Guest", "{{task_1_id}}.${number}"]`,
  },
});

/** From now on. */
export async function answerSlowly({ control }: Calls): Promise<void> {
  const calls = { path: 'messages', method: 'POST', times: 1_000_000_000 };
  await control('POST', 'faults', { ...calls, kind: 'delay', when: 'after', delay_ms: ANSWER_MS });
}

/**
 * A workflow that computes and waits.
 * @param pauseSeconds between a loop's items: with a pause a worker executes the run, without one the process that receives the
 * webhook
 */
export function createComputing({ api }: Calls, pauseSeconds: number): Promise<Workflow> {
  return api<Workflow>('POST', '/workflows', {
    name: 'Compute and wait',
    publish: true,
    tasks: [
      trigger,
      text(2, 'text', 'Order {{task_1_id}}'),
      { id: 3, type: 'loop', settings: { count: 2, pause_seconds: pauseSeconds } },
      text(4, 'copy', '{{task_2_text}}'),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4, branch: 'each' },
    ],
  });
}
