// Two workflows that send to the same customers, one message after another.
import { IDS } from '../../../sandbox/data/businesses.ts';
import { type Calls, connectBooks } from '../../../server/testing/beside-sandbox.ts';
import { answerSlowly, NOTIFICATION_RETRY_MS, trigger, type Workflow } from '../workflows.ts';

/** Each has the id of its webhook with its number in its text: `C-7.2`. The id of the task that sends it is the next number. */
export const MESSAGES_OF_A_RUN = 3;

/** Creates and publishes them. */
export async function prepareCustomerWorkflows(calls: Calls): Promise<Workflow[]> {
  await calls.control('POST', 'settings', { notification_retry_ms: NOTIFICATION_RETRY_MS });
  const connection = await connectBooks(calls);
  const tasks = [
    trigger,
    ...Array.from({ length: MESSAGES_OF_A_RUN }, (_, index) => message(connection, index + 1)),
  ];
  const edges = Array.from({ length: MESSAGES_OF_A_RUN }, (_, index) => ({ from: index + 1, to: index + 2 }));
  const workflows: Workflow[] = [];
  for (const name of ['Confirm', 'Remind'])
    workflows.push(await calls.api<Workflow>('POST', '/workflows', { name, publish: true, tasks, edges }));
  await calls.api('POST', `/connections/${connection}/notifications`);
  await answerSlowly(calls);
  return workflows;
}

/** After one that was not sent the next one is still tried. */
const message = (connection: string, number: number) => ({
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
