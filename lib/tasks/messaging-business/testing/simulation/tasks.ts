// Tasks that send to a customer as those of the product do: the same turns, record, look-up and waits, without a platform.
import type { Pool } from '#lib/core/db/client.ts';
import { inTransaction } from '#lib/core/db/client.ts';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import {
  changeOutside,
  type FindExecutor,
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { effectKey, STEP } from '#lib/engine/testing/simulation/tasks.ts';
import { putOnHold } from '#lib/messaging/consent/holds.ts';
import { MarketingPlace } from '#lib/messaging/sending/marketing-limit.ts';
import { takeTurn } from '#lib/messaging/sending/take-turn.ts';
import type { Random } from '#lib/testing/random.ts';
import { afterPause, withPauses } from '#lib/tasks/messaging-business/ask/deadline.ts';
import type { Memory } from '#lib/tasks/messaging-business/ask/memory.ts';
import { assertMaySend, executeSend, sendRecorded } from '#lib/tasks/messaging-business/suppressed.ts';
import { CUSTOMER_STOPPED } from '#lib/tasks/messaging-business/delivery/exits.ts';

export const MESSAGE = 'message';
export const QUESTION = 'question';
const HAND_OVER = 'hand_over';

export interface Settings {
  /** A name of the customer. */
  recipient: string;
  isMarketing?: boolean;
  /** How long the platform takes. */
  takesMs?: number;
  /** Of a question. */
  deadlineMs?: number;
  /** Of a hold; null: until it is released. */
  holdMs?: number | null;
  /** The execution follows a wait. */
  hasWaited?: boolean;
}

/** The second message to a customer waits for its turn, and the fourth is put off. */
const LIMITS = { messagesPerSecond: 20, pairBurst: 1, pairRefillSeconds: 1.5 };
const EVIDENCE = { kind: 'user' as const, actor: 'simulation' };

/** A chain of two or three tasks, of which the first sends. */
export function makeCustomerWorkflow(random: Random, recipient: string): WorkflowGraph {
  const trigger: WorkflowTask = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };
  const graph: WorkflowGraph = { tasks: [trigger], edges: [] };
  const count = 2 + random.below(2);
  for (let id = 2; id < 2 + count; id += 1) {
    graph.tasks.push(makeTask(random, id, recipient));
    graph.edges.push({ from: id - 1, to: id });
    if (random.chance(0.5)) graph.edges.push({ from: id - 1, to: id, branch: CUSTOMER_STOPPED.name });
  }
  return graph;
}

function makeTask(random: Random, id: number, recipient: string): WorkflowTask {
  const name = `Task ${id}`;
  const takesMs = random.pick([5, 80, 900]);
  const kind = id === 2 ? 0 : random.next();
  const task = (type: string, settings: Settings | object): WorkflowTask => ({
    id,
    type,
    name,
    settings: { ...settings },
    on_failure: 'continue',
  });
  if (kind < 0.5) return task(MESSAGE, { recipient, takesMs, isMarketing: random.chance(0.4) });
  if (kind < 0.75) return task(QUESTION, { recipient, takesMs, deadlineMs: random.pick([300, 2500]) });
  if (kind < 0.85) return task(HAND_OVER, { recipient, holdMs: random.pick([null, 400, 3000]) });
  return task(STEP, { waitMs: random.pick([50, 1500]) });
}

/** Where messages arrive. */
export type Accept = (key: string, settings: Settings) => void;

type Task = TaskContext<Settings>;

const pass = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @param sabotage a protection that is left out (simulation.test.ts) */
export function createCustomerExecutors(
  pool: Pool,
  { workspaceId, accept, sabotage }: { workspaceId: string; accept: Accept; sabotage: string | undefined },
): FindExecutor {
  // No customer was erased.
  const secrets = undefined as unknown as SecretBox;

  async function send(task: Task): Promise<void> {
    const { settings, runId, taskId, iteration, attempt, isRepeat } = task;
    const { recipient, isMarketing = false, takesMs = 0 } = settings;
    const turn = await takeTurn(pool, {
      phoneNumberId: 'phone',
      recipient,
      turnKey: effectKey(runId, taskId, iteration),
      isFirstAttempt: attempt === 1 && isRepeat !== true,
      limits: LIMITS,
    });
    if (turn.kind === 'later')
      throw new TaskError('rate_exceeded', 'Later.', { retry: { kind: 'put_off', seconds: turn.seconds } });
    const findCategory = async (): Promise<string> => {
      await pass(30);
      return isMarketing ? 'MARKETING' : 'UTILITY';
    };
    const assertAllowed = (): Promise<void> =>
      assertMaySend(
        pool,
        { workspaceId, secrets, recipient, runId },
        {
          isTemplate: isMarketing || taskId % 2 === 0,
          findCategory,
          place: new MarketingPlace(pool, { workspaceId, recipient }),
        },
      );
    if (sabotage === 'early') await assertAllowed();
    await pass(turn.waitMs);
    await sendRecorded(
      task,
      async (beforeSending) => {
        await pass(3);
        await beforeSending();
        accept(effectKey(runId, taskId, iteration), settings);
        await pass(takesMs);
      },
      {
        hadNoEffect: () => false,
        ...(sabotage === 'early' || (sabotage === 'once' && settings.hasWaited === true)
          ? {}
          : { assertAllowed }),
      },
    );
  }

  async function ask(task: Task): Promise<TaskResult> {
    const { settings, resumed, now } = task;
    const { deadlineMs = 0, recipient } = settings;
    const wait = (memory: Memory, pausedUntil?: number): TaskResult => {
      task.listen({ key: `answers ${task.runId} ${task.taskId}` });
      const until = new Date(afterPause(memory.waitsFrom + deadlineMs, task.now.getTime(), pausedUntil));
      return {
        kind: 'listen',
        until,
        memory: { ...memory } as unknown as JsonObject,
        output: null,
        runText: 'Asked.',
      };
    };
    if (!resumed) {
      task.listen({ key: `answers ${task.runId} ${task.taskId}` });
      await send(task);
      const askedAt = now.getTime();
      // Its own time, which is kept for the invariants.
      return wait({ recipient, messageId: String(askedAt), waitsFrom: askedAt, pausedTo: askedAt } as Memory);
    }
    const before = resumed.memory as unknown as Memory;
    const { memory, pausedUntil } = await withPauses(pool, task, before);
    if (pausedUntil !== undefined || memory.waitsFrom + deadlineMs > now.getTime())
      return wait(memory, pausedUntil);
    return {
      kind: 'done',
      output: { askedAt: Number(memory.messageId), endedAt: now.getTime() },
      runText: 'No answer.',
      branch: 'no_answer',
    };
  }

  /** Sets a hold, as a task of a workflow does: interrupted, it is executed again. */
  async function handOver(task: Task): Promise<TaskResult> {
    const { recipient, holdMs = null } = task.settings;
    const since = new Date();
    const until = holdMs === null ? null : new Date(since.getTime() + holdMs);
    await task.recordSideEffect();
    await inTransaction(pool, (client) =>
      putOnHold(client, {
        workspaceId,
        names: [recipient],
        since,
        until,
        reason: 'handed over',
        evidence: EVIDENCE,
      }),
    );
    return { kind: 'done', output: null, runText: 'Held.' };
  }

  const sending = (run: (task: Task) => Promise<TaskResult>): TaskExecutor => ({
    hasSideEffect: () => true,
    ifInterrupted: () => 'flag',
    execute: (context) => {
      const hasWaited = context.resumed !== undefined;
      const settings = { ...(context.settings as unknown as Settings), hasWaited };
      const task = { ...context, changeOutside, settings };
      return executeSend(
        sabotage === 'unrecorded' ? { ...task, recordWait: async () => undefined } : task,
        pool,
        {
          send: run,
        },
      );
    },
  });
  const executors: Record<string, TaskExecutor> = {
    [MESSAGE]: sending(async (task) => {
      await send(task);
      return { kind: 'done', output: null, runText: 'Sent.' };
    }),
    [QUESTION]: sending(ask),
    [HAND_OVER]: {
      hasSideEffect: () => true,
      ifInterrupted: () => 'retry',
      execute: (context) => handOver({ ...context, settings: context.settings as unknown as Settings }),
    },
  };
  return (type) => executors[type];
}
