// Work of processes besides executing one run: several runs at once, stopping, cleaning up, refreshing tokens, and
// notifications of the platform.
import { createHmac } from 'node:crypto';
import { recordDecision } from '#lib/approvals/record-decision.ts';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { receiveNotification } from '#lib/messaging/notifications/hook-route.ts';
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

/** The platform notifies of a customer's message. */
const notify = (stage: Stage, number = 1): Promise<void> =>
  tell(stage, {
    contacts: [{ profile: { name: 'Kim' }, wa_id: stage.recipient }],
    messages: [
      {
        from: stage.recipient,
        id: `wamid.${stage.id}.${number}`,
        timestamp: secondsNow(),
        type: 'text',
        text: { body: `${stage.id}x${number}` },
      },
    ],
  });

/** The platform notifies that all messages to the play's recipient were delivered. */
async function tellDelivered(stage: Stage): Promise<void> {
  for (const { id, payload } of await stage.lane.messagesTo(stage.recipient)) {
    const status = { id, status: 'delivered', timestamp: secondsNow(), recipient_id: stage.recipient };
    const { biz_opaque_callback_data } = payload as { biz_opaque_callback_data?: string };
    await tell(stage, { statuses: [{ ...status, biz_opaque_callback_data }] });
  }
}

const secondsNow = (): string => String(Math.floor(Date.now() / 1000));

/** The platform notifies of a change of a number, until it gets a 200. */
async function tell(stage: Stage, news: object): Promise<void> {
  const metadata = { display_phone_number: '12125550101', phone_number_id: IDS.booksOrders };
  const value = { messaging_product: 'whatsapp', metadata, ...news };
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

/** More than the runs of one webhook that a caller retried. */
const MOST_ANSWERS = 8;

/**
 * A question is asked, the customer answers it, and the run continues; and so does each further one started by a caller's
 * retry.
 */
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

/** A message is sent, and delivered; and so is that of each further run started by a caller's retry. */
async function sendAndDeliver(stage: Stage): Promise<void> {
  await stage.post();
  stage.startWorker();
  await stage.until('waiting');
  await tellDelivered(stage);
  await stage.until('over');
}

/** Every recipient of a link decides, also those of runs started by a caller's retry. */
async function approve(stage: Stage): Promise<void> {
  await stage.post();
  stage.startWorker();
  for (let decisions = 1; decisions <= MOST_ANSWERS; decisions += 1) {
    await stage.until('waiting');
    if (await stage.isOver()) return;
    for (const token of await linksOf(stage))
      await stage.act((ctx) =>
        recordDecision(ctx.db.$client, token, { decision: 'approved', comment: '', body: '{}' }),
      );
  }
  await stage.until('over');
}

/** The tokens of the links in the output of runs, as their recipients have them. */
async function linksOf({ lane, workflow }: Stage): Promise<string[]> {
  const { rows } = await lane.control.query<{ output: string }>(
    `select t.output from task_runs t join runs r on r.id = t.run_id
     where r.workflow_id = $1 and t.task_id = 2 and t.status = 'succeeded'`,
    [workflow.workflowId],
  );
  return rows.map(({ output }) => (JSON.parse(output) as { url: string }).url.split('/').at(-1) ?? '');
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

/** The first answer, and every second one after it, is not an expected one. */
const askedAgain = ({ id }: Stage) => ({
  answer_by: 'text',
  answer_kind: 'one_of',
  accepted_answers: Array.from({ length: MOST_ANSWERS }, (_, answer) => `${id}x${answer * 2}`).join(),
  retry_text: 'Please answer again.',
  retry_texts: [{ text: 'Once more, please.' }],
  until: [{ left: '{{task_2_answer}}', operator: 'is_not_empty', right: '' }],
});

const DUE = `
insert into schedules (workflow_id, workspace_id, cron, when_missed, next_at) values ($1, $2, '0 0 1 1 *', 'once', now())`;
const WAKE = `update graphile_worker._private_jobs set run_at = now() where key = 'schedules'`;

/** A schedule is due, and starts its workflow once. */
async function startOnSchedule(stage: Stage): Promise<void> {
  const { lane, workflow } = stage;
  await lane.control.query(DUE, [workflow.workflowId, workflow.workspaceId]);
  await lane.control.query(WAKE);
  stage.startWorker();
  const isStarted = async (): Promise<boolean> => (await stage.runIds()).length > 0;
  await stage.waitFor(isStarted, 'the start of a schedule');
  await stage.until('over');
  const { length } = await stage.runIds();
  if (length !== 1) stage.violations.push(`a time of a schedule has ${length} runs`);
}

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
    name: 'a question that is asked again, and two answers',
    prepare: async (stage) => void (await customerWrites(stage)),
    tasks: (stage) => [ask(stage, 2, askedAgain(stage)), call(stage, 3)],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'answered' },
    ],
    act: askAndAnswer,
    effects: [{ taskId: 2, journal: 'messages', messages: 2 }, request(3)],
  },
  {
    name: 'a message whose delivery is waited for',
    tasks: (stage) => [
      sendTemplate(stage, 2, undefined, { wait_until: 'delivered', wait_amount: 20, wait_unit: 'days' }),
      call(stage, 3),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'delivered' },
    ],
    act: sendAndDeliver,
    effects: [{ taskId: 2, journal: 'messages' }, request(3)],
  },
  {
    name: 'an approval by a link',
    tasks: (stage) => [
      task(2, 'approval_link', { question: 'Approve {{task_1_mark}}?', valid_amount: 60 }),
      call(stage, 3),
      task(4, 'wait_for_approval', { link_id: '{{task_2_link_id}}', wait_amount: 30 }),
      call(stage, 5),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4 },
      { from: 4, to: 5, branch: 'approved' },
    ],
    act: approve,
    effects: [request(3), request(5)],
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
    name: 'two copies of a webhook at once, and one later',
    trigger: { deduplicate_by: 'field', deduplicate_field: 'mark' },
    body: ({ id }) => ({ mark: `${id}x1` }),
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      await Promise.all([stage.post(), stage.post()]);
      stage.startWorker();
      await stage.until('over');
      await stage.post();
      const { length } = await stage.runIds();
      if (length !== 1) stage.violations.push(`copies of one webhook have ${length} runs`);
    },
    effects: [request(2)],
  },
  {
    name: 'a schedule that is due',
    tasks: () => [remember(2)],
    act: startOnSchedule,
    effects: [],
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
    // The platform ends a connection whose new tokens were lost.
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
