// Actions of users on runs and events during faults, and runs of drafts.
import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { openGate } from '#lib/engine/store/run-lines.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { cancelRun, resolveTaskRun, retryRun } from '#lib/runs/change-run.ts';
import { runDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import { IDS } from '../../../sandbox/data/businesses.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import {
  call,
  calledId,
  callWorkflow,
  holdCall,
  messaging,
  publishCalled,
  remember,
  rememberAll,
  request,
  sendTemplate,
  task,
} from './parts.ts';

async function executeOne(stage: Stage, goal: 'over' | 'waiting' = 'over'): Promise<string> {
  await stage.post();
  stage.startWorker();
  await stage.until(goal);
  return (await stage.runIds()).at(-1) ?? '';
}

/** The platform accepts the next message to the play's customer and ends the connection without an answer. */
async function loseNextAnswer({ lane, recipient }: Stage): Promise<void> {
  await lane.ask('POST', 'faults', { kind: 'drop', path: '/messages', times: 1, recipient });
}

const resolving = (as: 'done' | 'resend'): Scenario => ({
  name: `an unknown outcome, ${as === 'done' ? 'marked as done' : 'resent'}`,
  prepare: loseNextAnswer,
  tasks: (stage) => [sendTemplate(stage, 2), call(stage, 3)],
  act: async (stage) => {
    const id = await executeOne(stage);
    await stage.act((ctx) => resolveTaskRun(ctx, { id, task_id: 2, iteration: [], as }));
    await stage.until('over');
  },
  effects: [{ taskId: 2, journal: 'messages' }, request(3)],
  mayEnd: ['failed'],
  isResolvedByPerson: true,
});

/** @param sendTo the user's own number, which gets the messages */
const draft = (sendTo: 'nobody' | 'oneself'): Scenario => ({
  name: `a run of the draft, ${sendTo === 'nobody' ? 'captured' : 'to a number of one’s own'}`,
  tasks: (stage) => [sendTemplate(stage, 2), call(stage, 3), remember(4)],
  act: async (stage) => {
    const { recipient, workflow, currentMark: mark } = stage;
    await stage.act((ctx) =>
      runDraft(ctx, {
        id: workflow.workflowId,
        sample_text: JSON.stringify({ mark, to: recipient }),
        send_to: sendTo === 'nobody' ? null : recipient,
        call_services: sendTo === 'oneself',
      }),
    );
    stage.startWorker();
    await stage.until('over');
  },
  effects: [{ taskId: 2, journal: 'messages' }, request(3)],
  isCaptured: sendTo === 'nobody',
});

export const VERB_SCENARIOS: readonly Scenario[] = [
  {
    name: 'cancelled while it waits',
    tasks: (stage) => [task(2, 'delay', { mode: 'for', amount: 1, unit: 'hours' }), call(stage, 3)],
    act: async (stage) => {
      const id = await executeOne(stage, 'waiting');
      await stage.act((ctx) => cancelRun(ctx, { id }));
      await stage.passTime(7200);
      await stage.until('over');
    },
    effects: [request(3)],
    ends: ['cancelled'],
    mayEnd: ['succeeded'],
  },
  {
    name: 'cancelled while it waits for a called run',
    prepare: (stage) => publishCalled(stage, [task(2, 'delay', { mode: 'for', amount: 5, unit: 'days' })]),
    tasks: (stage) => [callWorkflow(stage, 2)],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      for (const id of await stage.runIds()) await stage.act((ctx) => cancelRun(ctx, { id }));
      await stage.until('over');
    },
    ends: ['cancelled'],
    effects: [],
  },
  {
    name: 'cancelled while it calls, and resumed',
    tasks: (stage) => [remember(2), call(stage, 3, { path: 'hold' }), remember(4)],
    act: async (stage) => {
      const { service } = stage.lane;
      await holdCall(stage);
      const id = (await stage.runIds()).at(-1) ?? '';
      await stage.act((ctx) => cancelRun(ctx, { id }));
      service.release();
      await stage.until('over');
      await stage.act((ctx) => resolveTaskRun(ctx, { id, task_id: 3, iteration: [], as: 'done' }));
      await stage.until('over');
    },
    effects: [request(3)],
    mayEnd: ['cancelled', 'failed'],
    isResolvedByPerson: true,
  },
  {
    name: 'retried from the task that failed',
    tasks: (stage) => [
      call(stage, 2),
      messaging(stage, 3, 'send_template', {
        business_account_id: IDS.books,
        recipient: '{{task_1_to}}',
        template_name: 'never_made',
      }),
    ],
    act: async (stage) => {
      const id = await executeOne(stage);
      await stage.act((ctx) => retryRun(ctx, { id, from: 'failed_task' }));
      await stage.until('over');
    },
    effects: [request(2)],
    ends: ['failed'],
    isResolvedByPerson: true,
  },
  {
    name: 'started again',
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      const id = await executeOne(stage);
      await stage.act((ctx) => retryRun(ctx, { id, from: 'start' }));
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'its event replayed',
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      await executeOne(stage);
      const eventId = stage.acknowledged.at(-1)?.eventId ?? '';
      await stage.act((ctx) => replayEvent(ctx, { id: eventId, repeat: true }));
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'one at a time, and the second cancelled',
    trigger: { order_by: '{{to}}' },
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      for (let count = 0; count < 3; count += 1) await stage.post();
      const second = (await stage.runIds())[1] ?? '';
      await stage.act((ctx) => cancelRun(ctx, { id: second }));
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2)],
    ends: ['succeeded', 'cancelled'],
  },
  {
    name: 'one at a time, and copies of one webhook',
    trigger: { order_by: '{{to}}', deduplicate_by: 'field', deduplicate_field: 'mark' },
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      await Promise.all([stage.post(), stage.post()]);
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'a burst of webhooks, and copies of one',
    trigger: { quiet_seconds: 5, quiet_by: '{{to}}', deduplicate_by: 'field', deduplicate_field: 'mark' },
    tasks: (stage) => [call(stage, 2), rememberAll(3)],
    act: async (stage) => {
      await Promise.all([stage.post(), stage.post()]);
      stage.startWorker();
      await stage.post();
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'a burst of webhooks that waits, cancelled',
    trigger: { quiet_seconds: 5 },
    tasks: (stage) => [call(stage, 2), rememberAll(3)],
    act: async (stage) => {
      for (let count = 0; count < 2; count += 1) await stage.post();
      const [id = ''] = await stage.runIds();
      await stage.act((ctx) => cancelRun(ctx, { id }));
      await stage.post();
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2)],
    ends: ['succeeded', 'cancelled'],
  },
  {
    name: 'of a workflow with a limit, and the second cancelled',
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      const { lane, workflow } = stage;
      await lane.control.query('update workflows set max_concurrent_runs = 1 where id = $1', [
        workflow.workflowId,
      ]);
      for (let count = 0; count < 3; count += 1) await stage.post();
      const second = (await stage.runIds())[1] ?? '';
      await stage.act((ctx) => cancelRun(ctx, { id: second }));
      stage.startWorker();
      await stage.until('over');
    },
    effects: [request(2)],
    ends: ['succeeded', 'cancelled'],
  },
  {
    name: 'of a workspace with a limit, one called by another, and the third cancelled',
    prepare: (stage) => publishCalled(stage, [remember(2)]),
    tasks: (stage) => [callWorkflow(stage, 2), remember(3)],
    act: async (stage) => {
      const { lane, workflow } = stage;
      await lane.control.query('update workspaces set max_concurrent_runs = 1 where id = $1', [
        workflow.workspaceId,
      ]);
      for (let count = 0; count < 3; count += 1) await stage.post();
      const last = (await stage.runIds())[2] ?? '';
      await stage.act((ctx) => cancelRun(ctx, { id: last }));
      stage.startWorker();
      await stage.until('over');
    },
    effects: [],
    ends: ['succeeded', 'cancelled'],
  },
  {
    name: 'of a workspace with a limit, and the runs that they call are held',
    prepare: async (stage) => {
      await publishCalled(stage, [remember(2)]);
      await stage.lane.control.query('update workflows set holds_runs = true, active = false where id = $1', [
        calledId(stage),
      ]);
    },
    tasks: (stage) => [callWorkflow(stage, 2), remember(3)],
    act: async (stage) => {
      const { lane, workflow } = stage;
      await lane.control.query('update workspaces set max_concurrent_runs = 1 where id = $1', [
        workflow.workspaceId,
      ]);
      for (let count = 0; count < 2; count += 1) await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      await stage.act(({ db }) =>
        db.transaction(async (tx) => {
          const called = eq(workflows.id, calledId(stage));
          await tx.update(workflows).set({ holdsRuns: false, active: true }).where(called);
          await openGate(tx, calledId(stage));
        }),
      );
      await stage.until('over');
    },
    effects: [],
  },
  resolving('done'),
  resolving('resend'),
  draft('nobody'),
  draft('oneself'),
];
