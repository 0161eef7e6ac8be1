import { WITHHELD_WORDS } from '#lib/messaging/schema/status-words.ts';
import { explainStatusError } from '#lib/messaging/sending/explain-status-error.ts';
import type { KnownMessage } from '#lib/messaging/sending/find-message.ts';
import type { RunMessage } from './schema.ts';
import { toIndexes } from './task-run-row.ts';

/** A message of a run as the API shows it. */
export const toRunMessage = (message: KnownMessage): RunMessage => ({
  id: message.messageId,
  task_id: message.taskId,
  iteration: toIndexes(message.iteration ?? ''),
  recipient: message.recipient,
  template: message.templateName,
  status: message.withheld ?? message.status,
  status_at: message.statusAt.toISOString(),
  problem: problemOf(message),
});

function problemOf({ status, withheld, errors }: KnownMessage): string | null {
  if (withheld !== null) return WITHHELD_WORDS[withheld];
  return status === 'failed' ? (errors ?? []).map(explainStatusError).join(' ') : null;
}
