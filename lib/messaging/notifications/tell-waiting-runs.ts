import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { deliverSignals, type Signal, type SignaledRun } from '#lib/engine/store/deliver-signals.ts';
import type { Statements } from '#lib/engine/store/start-runs.ts';
import type { Queryable } from '#lib/messaging/customers/queryable.ts';
import { customerKey, messageKey, waitOfChoice } from '#lib/messaging/sending/signal-keys.ts';
import type { Incoming, IncomingMessage, IncomingStatus } from './incoming.ts';

/** A run that waited for what came in and continues with it. */
export type TakenBy = SignaledRun;

/**
 * Gives messages and statuses to the runs that wait for them. Called once for each notification, in the transaction that
 * stores it, with what was not received before; windows, statuses and customers are stored by then. A message that a run
 * takes is not forwarded to the same workflow, which it would start again.
 * @param incoming in the order in which it stood in the notification
 * @returns who took what, in the same order; an empty list where nobody waits for it
 */
export function tellWaitingRuns(client: Queryable, incoming: readonly Incoming[]): Promise<TakenBy[][]> {
  // The engine names its statements, which the driver's client understands.
  const statements = client as unknown as Statements;
  return deliverSignals(
    statements,
    incoming.map((each) => (each.kind === 'message' ? ofMessage(each) : ofStatus(each))),
  );
}

/** A tap on a button or a row of a question reaches the run that asked it, and no other. */
function ofMessage({
  workspaceId,
  phoneNumberId,
  customer,
  messageId,
  groupId,
  choice,
  fields,
}: IncomingMessage): Signal {
  const names = groupId === null ? (customer?.names ?? []) : [];
  return {
    workspaceId,
    keys: names.map((name) => customerKey(phoneNumberId, name)),
    id: `message:${messageId}`,
    payload: stringifyJson({ kind: 'message', message: fields }),
    waitId: choice && waitOfChoice(choice.id),
  };
}

function ofStatus({ workspaceId, messageId, status, errors, at }: IncomingStatus): Signal {
  const told = { status, at: at.toISOString(), errors: errors.map((error) => ({ ...error })) };
  return {
    workspaceId,
    keys: [messageKey(messageId)],
    id: `status:${messageId}:${status}`,
    payload: stringifyJson({ kind: 'status', ...told }),
  };
}
