// Building blocks of the scenarios.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { IDS } from '../../../sandbox/data/businesses.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { markText } from '../scenario.ts';
import type { Stage } from '../stage.ts';

export const task = (
  id: number,
  type: string,
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => ({ id, type, name: `Task ${id}`, settings, ...more });

/** @param path `once` refuses the first attempt, `hold` responds when the service releases it. */
export const call = (
  { url }: Stage,
  id: number,
  { method = 'POST', path = 'do', loop }: { method?: string; path?: string; loop?: number } = {},
): WorkflowTask => task(id, 'http_request', { method, url: `${url}/${path}/${markText(id, loop)}` });

/** The external effect of `call`. */
export const request = (taskId: number) => ({ taskId, journal: 'service' as const });

/** Posts a webhook whose run calls `hold`, and has a worker start it. @returns when the call is in progress or the run is over */
export async function holdCall(stage: Stage): Promise<void> {
  const { service } = stage.lane;
  service.hold();
  await stage.post();
  stage.startWorker();
  const isCalled = (): boolean => service.requests.some((each) => each.includes(`${stage.id}x`));
  await stage.waitFor(async () => isCalled() || (await stage.isOver()), 'the call');
}

const CALLED = 'called workflow';

/** Publishes the workflow that `callWorkflow` calls. */
export async function publishCalled(
  { lane, prepared }: Stage,
  tasks: readonly WorkflowTask[],
): Promise<void> {
  const all = [task(1, 'inbound_webhook', {}), ...tasks];
  const edges = tasks.map(({ id }, index) => ({ from: all[index]?.id ?? 1, to: id }));
  prepared[CALLED] = (await insertWorkflow(lane.control, { tasks: all, edges }, lane.workspaceId)).workflowId;
}

export const calledId = ({ prepared }: Stage): string => prepared[CALLED] ?? '';

/** Calls it with the play's marker. */
export const callWorkflow = (stage: Stage, id: number): WorkflowTask =>
  task(id, 'call_workflow', {
    called_workflow: calledId(stage),
    body_fields: [{ name: 'mark', value: '{{task_1_mark}}' }],
  });

const CONNECTION = 'connection';

/** @returns settings of an action of the platform, with the play's own connection where it has one. */
export const messaging = (
  { lane, prepared }: Stage,
  id: number,
  action: string,
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask =>
  task(
    id,
    'messaging_business',
    {
      action,
      app_connection_id: prepared[CONNECTION] ?? lane.connectionId,
      phone_number_id: IDS.booksOrders,
      ...settings,
    },
    more,
  );

/** @param wait settings of a send that waits */
export const sendTemplate = (
  stage: Stage,
  id: number,
  loop?: number,
  wait: Record<string, unknown> = {},
): WorkflowTask =>
  messaging(stage, id, 'send_template', {
    business_account_id: IDS.books,
    recipient: '{{task_1_to}}',
    template_name: 'order_confirmation',
    template_parameters: JSON.stringify(['Guest', markText(id, loop)]),
    ...wait,
  });

export const sendMarketing = (stage: Stage, id: number): WorkflowTask =>
  messaging(stage, id, 'send_template', {
    business_account_id: IDS.books,
    recipient: '{{task_1_to}}',
    template_name: 'author_reading',
    template_parameters: JSON.stringify(['Friday', markText(id)]),
  });

export const sendText = (stage: Stage, id: number, settings: Record<string, unknown> = {}): WorkflowTask =>
  messaging(stage, id, 'send_text', {
    recipient: '{{task_1_to}}',
    message_text: `About ${markText(id)}`,
    ...settings,
  });

export const remember = (id: number): WorkflowTask =>
  task(id, 'set_variables', { variables: [{ name: 'kept', value: '{{task_1_mark}}' }] });

/** All webhooks of the run's burst. */
export const rememberAll = (id: number): WorkflowTask =>
  task(id, 'set_variables', { variables: [{ name: 'kept', value: '{{task_1.WEBHOOKS}}' }] });

/** The customer writes, so that texts may be sent. @returns the id of the message */
export async function customerWrites({ lane, recipient }: Stage): Promise<string> {
  const { id } = await lane.ask<{ id: string }>('POST', 'customer-messages', {
    customer: recipient,
    phone_number_id: IDS.booksOrders,
    text: 'Hello!',
  });
  return id;
}

/** A separate connection, whose access token the platform has revoked. */
export async function connectWithEndedToken(stage: Stage): Promise<void> {
  const { lane, prepared } = stage;
  const tokens = await lane.mint();
  prepared[CONNECTION] = await lane.connect(tokens);
  await lane.ask('POST', 'tokens/expire', { token: tokens.access_token, kind: 'access' });
}
