// Messages that are not sent, because the customer stopped them or was erased, or a person takes care of the customer.
import { TaskError } from '#lib/engine/task-executor.ts';
import type { Refusal } from '#lib/messaging/sending/find-blocks.ts';

const STOPPED = 'customer_stopped';
const ON_HOLD = 'customer_on_hold';
const ERASED = 'customer_erased';

/** Whether an error is that a message was suppressed: nothing left. */
export const isSuppressed = (error: unknown): boolean =>
  error instanceof TaskError && [STOPPED, ON_HOLD, ERASED].includes(error.code);

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
  if (refusal.kind === 'erased')
    return new TaskError(
      ERASED,
      'Customer erased: this run began before the data of this customer was erased. The message was not sent.',
    );
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
