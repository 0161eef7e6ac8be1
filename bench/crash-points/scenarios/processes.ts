// What processes do besides executing one run: several runs at once, stopping, cleaning up, refreshing tokens, and
// notifications of the platform.
import { createHmac } from 'node:crypto';
import { getReceiver } from '#lib/messaging/connections/get-receiver.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { receiveNotification } from '#lib/messaging/notifications/receive-notification.ts';
import { IDS } from '../../../sandbox/data/businesses.ts';
import { markText, type Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import {
  call,
  connectWithEndedToken,
  customerWrites,
  holdCall,
  remember,
  request,
  sendTemplate,
  task,
} from './parts.ts';

/** The platform tells that a customer wrote, until it is answered 200. */
async function notify(stage: Stage, number = 1): Promise<void> {
  const { id, recipient } = stage;
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '12125550101', phone_number_id: IDS.booksOrders },
    contacts: [{ profile: { name: 'Kim' }, wa_id: recipient }],
    messages: [
      {
        from: recipient,
        id: `wamid.${id}.${number}`,
        timestamp: '1767225600',
        type: 'text',
        text: { body: `${id}x${number}` },
      },
    ],
  };
  const body = Buffer.from(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: IDS.books, changes: [{ field: 'messages', value }] }],
    }),
  );
  await stage.act(async (ctx) => {
    const { db, secrets, platform } = ctx;
    const { url } = await getReceiver(ctx, { id: stage.lane.connectionId });
    const appSecret = platform.appSecret ?? '';
    const answer = await receiveNotification(
      { pool: db.$client, secrets, appSecret, logger: stage.logger },
      {
        token: url.split('/').at(-1) ?? '',
        rawBody: body,
        signature: `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
      },
    );
    if (answer.status !== 200) throw new Error(`The notification was answered ${answer.status}.`);
  });
}

/** More than the runs of one webhook that a caller posted again. */
const MOST_ANSWERS = 8;

/** A question is asked, the customer answers it, and the run continues; so does each other that a caller's retry started. */
async function askAndAnswer(stage: Stage): Promise<void> {
  await stage.post();
  stage.startWorker();
  for (let answers = 1; answers <= MOST_ANSWERS; answers += 1) {
    await stage.until('waiting');
    if (await stage.isOver()) return;
    await notify(stage, answers);
  }
  await stage.until('over');
}

const ask = ({ lane }: Stage, id: number, settings: Record<string, unknown>) =>
  task(id, 'ask_and_wait', {
    app_connection_id: lane.connectionId,
    phone_number_id: IDS.booksOrders,
    recipient: '{{task_1_to}}',
    question: `When do you come? ${markText(id)}`,
    wait_amount: 30,
    wait_unit: 'days',
    ...settings,
  });

export const PROCESS_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a question and its answer',
    prepare: async (stage) => void (await customerWrites(stage)),
    tasks: (stage) => [ask(stage, 2, { answer_by: 'text' }), call(stage, 3)],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'answered' },
    ],
    act: askAndAnswer,
    effects: [{ taskId: 2, journal: 'messages' }, request(3)],
  },
  {
    name: 'two webhooks at once',
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      await Promise.all([stage.post(), stage.post()]);
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'a call that outlives its job',
    tasks: (stage) => [call(stage, 2, { path: 'hold' }), remember(3)],
    act: async (stage) => {
      const { service } = stage.lane;
      service.hold();
      await stage.post();
      stage.startWorker();
      await stage.waitFor(async () => (await stage.isClaimed()) || (await stage.isOver()), 'the claim');
      service.release();
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'two jobs of one run',
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      await stage.post();
      await stage.duplicateJobs();
      stage.startWorker();
      await stage.until('over');
      await stage.duplicateJobs();
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'a worker that is told to stop',
    tasks: (stage) => [
      call(stage, 2, { path: 'hold' }),
      task(3, 'delay', { amount: 0.02, unit: 'seconds' }),
      call(stage, 4),
    ],
    act: async (stage) => {
      const { service } = stage.lane;
      await holdCall(stage);
      setImmediate(() => service.release());
      await stage.stopWorkers();
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2), request(4)],
  },
  {
    name: 'a token that has to be refreshed',
    prepare: connectWithEndedToken,
    tasks: (stage) => [sendTemplate(stage, 2), remember(3)],
    effects: [{ taskId: 2, journal: 'messages' }],
    // The platform ends a connection whose new tokens nobody kept.
    mayEnd: ['failed'],
  },
  {
    name: 'housekeeping and checks of connections',
    prepare: async ({ lane }) => {
      await lane.control.query('update graphile_worker._private_jobs set run_at = now()');
      await lane.control.query('update connections set check_due_at = null where id = $1', [
        lane.connectionId,
      ]);
    },
    tasks: () => [remember(2)],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('over');
      await stage.assertRepeatedJobs();
    },
    effects: [],
  },
  {
    name: 'a notification of the platform',
    tasks: (stage) => [
      task(2, 'http_request', { method: 'POST', url: `${stage.url}/do/{{task_1_text}}_t2_i_` }),
    ],
    act: async (stage) => {
      await stage.act((ctx) =>
        putSubscription(ctx, {
          id: stage.lane.connectionId,
          workflow_id: stage.workflow.workflowId,
          kinds: ['messages'],
          phone_number_id: null,
        }),
      );
      await notify(stage);
      stage.startWorker();
      await stage.until('over');
      await stage.lane.control.query('delete from connection_subscriptions where workflow_id = $1', [
        stage.workflow.workflowId,
      ]);
    },
    effects: [request(2)],
  },
];
