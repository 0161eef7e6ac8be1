// Messages that are not sent, because the customer stopped them or a person takes care of the customer.
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { type TaskContext, TaskError, type TaskResult } from '#lib/engine/task-executor.ts';
import type { Refusal } from '#lib/messaging/sending/find-blocks.ts';
import { CUSTOMER_STOPPED } from './delivery/exits.ts';

const STOPPED = 'customer_stopped';
const ON_HOLD = 'customer_on_hold';

/** Whether an error is that a message was suppressed: nothing left. */
export const isSuppressed = (error: unknown): boolean =>
  error instanceof TaskError && (error.code === STOPPED || error.code === ON_HOLD);

/** Whether it is because of a hold, which ends. */
export const isHeld = (error: unknown): boolean => error instanceof TaskError && error.code === ON_HOLD;

/** The error of a task whose message is not sent. */
export function toSuppressed(refusal: Refusal): TaskError {
  if (refusal.kind === 'hold') {
    const { reason, until } = refusal;
    const end = until === null ? 'until the hold is released' : `until ${until.toISOString()}`;
    const why = reason === '' ? '' : ` Reason: ${reason.replace(/[.\s]+$/, '')}.`;
    return new TaskError(
      ON_HOLD,
      `Customer on hold: workflows do not send to this customer ${end}.${why} The message was not sent. Release the hold, then retry the run.`,
      { details: { until: until?.toISOString() ?? null, reason } },
    );
  }
  const { purpose } = refusal;
  const what =
    purpose === 'all'
      ? 'The customer stopped all messages.'
      : 'The customer stopped marketing messages, and the category of this template is MARKETING or unknown.';
  const fix =
    purpose === 'all'
      ? 'Send again only after the customer agrees, and record their consent.'
      : 'Use a utility template, or record the customer’s consent first.';
  return new TaskError(STOPPED, `Customer stopped: ${what} The message was not sent. ${fix}`, {
    details: { purpose },
  });
}

/** By the register, or by the platform alone (131050). */
const isStopped = (error: unknown): error is TaskError =>
  error instanceof TaskError && (error.code === STOPPED || error.code === 'customer_opted_out');

/**
 * Executes a send, its output is that of the error unless `outputOf` says otherwise. Where the customer stopped such messages it leaves by an exit of its own, if something is connected to it.
 * @throws TaskError
 */
export async function sendOrLeave(
  { hasExit, resumed }: Pick<TaskContext, 'hasExit' | 'resumed'>,
  send: () => Promise<TaskResult>,
  outputOf: (error: TaskError) => JsonValue | undefined = (error) => error.output,
): Promise<TaskResult> {
  try {
    return await send();
  } catch (error) {
    if (!isStopped(error) || !hasExit(CUSTOMER_STOPPED.name)) throw error;
    await resumed?.stopListening();
    const stopped = isJsonObject(error.details) ? (error.details['purpose'] ?? 'marketing') : 'marketing';
    const output = outputOf(error);
    return {
      kind: 'done',
      branch: CUSTOMER_STOPPED.name,
      output: { ...(isJsonObject(output) ? output : {}), stopped },
      runText: error.message,
    };
  }
}
