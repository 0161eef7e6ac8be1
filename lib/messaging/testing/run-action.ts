// For tests: runs one action like the engine, against the sandbox.
import type { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { messagingBusiness } from '#lib/tasks/messaging-business/definition.ts';
import { createMessagingBusinessExecutor } from '#lib/tasks/messaging-business/execute.ts';
import type { MessagingWorld } from './messaging-world.ts';

interface ActionOptions {
  /** The body of the trigger, task 1. */
  body?: JsonObject;
  runId?: string;
  attempt?: number;
  /** The exits that something is connected to. */
  exits?: readonly string[];
  /** Receives records of the side effect, and withdrawals. */
  record?: string[];
  /** Awaited with each record of the side effect. */
  onRecord?: () => Promise<void>;
}

/** @returns output and run text. @throws TaskError */
export async function runAction(
  world: MessagingWorld,
  settings: Record<string, unknown>,
  {
    body = {},
    runId = crypto.randomUUID(),
    attempt = 1,
    record = [],
    exits = [],
    onRecord,
  }: ActionOptions = {},
): Promise<{ output: JsonObject; runText: string; branch?: string | undefined }> {
  const executor = createMessagingBusinessExecutor(async () => world.runtime);
  const context = {
    ...taskContext(messagingBusiness, settings, { body, attempt, exits }),
    workspaceId: world.workspaceId,
    workflowId: crypto.randomUUID(),
    runId,
    now: new Date(),
    recordSideEffect: async () => {
      record.push('recorded');
      await onRecord?.();
    },
    withdrawSideEffect: async () => void record.push('withdrawn'),
  };
  const result = await executor.execute(context);
  if (result.kind !== 'done') throw new Error(`An action never ends as ${result.kind}.`);
  const { branch, runText } = result;
  return { output: result.output as JsonObject, runText, branch };
}

/** The error that an action fails with. */
export async function failAction(...input: Parameters<typeof runAction>): Promise<TaskError> {
  const outcome = await runAction(...input).catch((error: unknown) => error);
  if (outcome instanceof Error && outcome.name === 'TaskError') return outcome as TaskError;
  throw new Error('The action did not fail as a task does.', { cause: outcome });
}
