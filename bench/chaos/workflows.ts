// What the webhooks of chaos are for: workflows of the product, as an operator makes them by its API.
import { IDS } from '../../sandbox/data/businesses.ts';
import { type Calls, connectBooks } from '../../server/testing/beside-sandbox.ts';

export interface Workflow {
  id: string;
  webhook: { production_url: string };
}

export interface Workflows {
  /** Computes and waits. */
  computing: Workflow;
  /** Sends messages to the customer whom the webhook names, one after another (`MESSAGES_OF_AN_ORDER`). */
  sending: Workflow;
  /** Gets what customers write. */
  answering: Workflow;
}

/** Task runs of a run of `computing` that has succeeded: the trigger, a task, the loop, and what is in it twice. */
export const COMPUTING_TASK_RUNS = 5;

/** Each has the order's id with its number in its text: `C-7.2`. The task that sends it has the next number as its id. */
export const MESSAGES_OF_AN_ORDER = 4;
/** The platform takes a message at once and answers after so long, so that there are always some under way. */
const ANSWER_MS = 400;

export const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
const text = (id: number, name: string, value: string) => ({
  id,
  type: 'set_variables',
  settings: { variables: [{ name, value }] },
});

/** Where everything is delivered again and again until it is answered with 2xx. */
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

/** Makes and publishes them, with a connection to the sandbox's books shop. */
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

/** After one whose outcome is not known the next is sent all the same. */
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
 * @param pauseSeconds between a loop's items: with a pause a worker executes the run, without one the process that receives it
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
