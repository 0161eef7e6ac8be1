// For tests: runs one action like the engine, against the sandbox.
import { type DraftRunOptions, guardSideEffects } from '#lib/engine/draft-run.ts';
import type { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { CUSTOMER, type SendingTest } from '#lib/messaging/testing/sending.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { messagingBusinessMore } from '../definition.ts';
import { createMoreExecutor } from '../execute.ts';

interface RunOptions {
  /** Of the trigger, task 1. */
  body?: JsonObject;
  /** Receives records of the side effect, and withdrawals. */
  record?: string[];
  /** A run of the draft. */
  draft?: Partial<DraftRunOptions>;
  /** Receives captured effects. */
  captured?: unknown[];
}

/** @returns output and run text. @throws TaskError */
export async function runMore(
  { base, world }: SendingTest,
  settings: Record<string, unknown>,
  { body = {}, record = [], draft, captured = [] }: RunOptions = {},
): Promise<{ output: JsonObject; runText: string }> {
  const { business_account_id: _account, ...sender } = base;
  const context = taskContext(messagingBusinessMore, { ...sender, ...settings }, { body });
  const options = { sendTo: null, callsServices: true, refusals: {}, pins: {}, ...draft };
  const effects = draft ? guardSideEffects(options, context, (shown) => captured.push(shown)) : {};
  const result = await createMoreExecutor(async () => world.runtime).execute({
    ...context,
    recordSideEffect: async () => void record.push('recorded'),
    withdrawSideEffect: async () => void record.push('withdrawn'),
    ...effects,
    workspaceId: world.workspaceId,
    runId: crypto.randomUUID(),
    workflowId: crypto.randomUUID(),
    now: new Date(),
  });
  if (result.kind !== 'done') throw new Error(`An action never ends as ${result.kind}.`);
  return { output: result.output as JsonObject, runText: result.runText };
}

/** The error that an action fails with. */
export async function failMore(...input: Parameters<typeof runMore>): Promise<TaskError> {
  const error = await runMore(...input).catch((reason: unknown) => reason);
  if (error instanceof Error && error.name === 'TaskError') return error as TaskError;
  throw new Error('The action did not fail as a task does.', { cause: error });
}

/** A message of the customer, which opens the window. @returns its id */
export const hear = async ({ world }: SendingTest): Promise<string> =>
  (await world.customerWrites(CUSTOMER)).id;
