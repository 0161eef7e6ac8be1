import type { Queryable } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { deliverSignals, type Signal, type SignaledRun } from '#lib/engine/store/deliver-signals.ts';
import { type Customer, customerKey } from '#lib/messaging/customers/customer-names.ts';
import { readQuestionId, readStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import type { Incoming, IncomingMessage, IncomingStatus } from './incoming.ts';

/** A run that continues with a notification. */
export type TakenBy = SignaledRun;

/**
 * Gives messages and statuses to the runs that wait for them. Called once for all notifications that are stored together, in
 * their transaction, with what was not received before; windows, statuses and customers are stored by then. A message that a run
 * takes starts only workflows whose trigger also takes those.
 * @param incoming in the order of the notification
 * @returns the runs that took each, in the same order; an empty list where no run waits for it
 */
export function notifyWaitingRuns(client: Queryable, incoming: readonly Incoming[]): Promise<TakenBy[][]> {
  return deliverSignals(
    client,
    incoming.map((each) => (each.kind === 'message' ? ofMessage(each) : ofStatus(each))),
  );
}

const keysOf = (phoneNumberId: string, customer: Customer | null): string[] =>
  (customer?.names ?? []).map((name) => customerKey(phoneNumberId, name));

/** A tap on a button or a row of a question only reaches the task run that asked it. */
function ofMessage(message: IncomingMessage): Signal {
  const { workspaceId, phoneNumberId, customer, messageId, groupId, choice, fields } = message;
  return {
    workspaceId,
    keys: groupId === null ? keysOf(phoneNumberId, customer) : [],
    id: `message:${messageId}`,
    get payload() {
      return stringifyJson({ kind: 'message', choice: choice && { ...choice }, message: fields });
    },
    taskRun: choice && readQuestionId(choice.id),
  };
}

/**
 * Among the statuses of a question only a failure counts as an answer. A send that waits has marked its message with callback
 * data, which its statuses return: all others need no look-up.
 */
function ofStatus(change: IncomingStatus): Signal {
  const { workspaceId, phoneNumberId, customer, messageId, status, at, callbackData } = change;
  const id = `status:${messageId}:${status}`;
  const errors = change.errors.map((error) => ({ ...error }));
  const key = readStatusKey(callbackData, status);
  if (key !== undefined) {
    const payload = stringifyJson({ kind: 'status', status, at: at.toISOString(), errors });
    return { workspaceId, keys: [key], id, payload };
  }
  const taskRun = status === 'failed' ? readQuestionId(callbackData) : undefined;
  return {
    workspaceId,
    keys: taskRun ? keysOf(phoneNumberId, customer) : [],
    id,
    payload: stringifyJson({ kind: 'failed', message_id: messageId, errors }),
    taskRun,
  };
}
