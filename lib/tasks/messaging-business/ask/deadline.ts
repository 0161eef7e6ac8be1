// What changes the deadline of a question, or says why it passed.
import type { Pool } from '#lib/core/db/client.ts';
import type { TaskContext } from '#lib/engine/task-executor.ts';
import { listSilentConnections } from '#lib/messaging/connections/find-answering.ts';
import { listPauses } from '#lib/messaging/consent/hold-waits.ts';
import type { ActionCall } from '../call.ts';
import type { Memory } from './memory.ts';

/**
 * The state with its times later by as long as holds of the customer suspended them.
 * @returns `pausedUntil`: they are suspended now, until then; Infinity: until the hold is released
 */
export async function withPauses(
  pool: Pool,
  { workspaceId, now }: Pick<TaskContext, 'workspaceId' | 'now'>,
  before: Memory,
): Promise<{ memory: Memory; pausedUntil: number | undefined }> {
  let memory = before;
  let pausedUntil: number | undefined;
  for (const { since, until } of await listPauses(pool, { workspaceId, recipient: before.recipient })) {
    const from = Math.max(since, memory.pausedTo);
    const to = Math.min(until, now.getTime());
    if (to > from) memory = { ...memory, waitsFrom: memory.waitsFrom + (to - from), pausedTo: to };
    if (since <= now.getTime() && now.getTime() < until) pausedUntil = Math.max(pausedUntil ?? 0, until);
  }
  return { memory, pausedUntil };
}

/** How often a question looks whether a hold without an end was released. */
const LOOK_AGAIN_MS = 60_000;

/** When something is due that is suspended. @param pausedUntil as of `withPauses` */
export function afterPause(dueAt: number, now: number, pausedUntil: number | undefined): number {
  if (pausedUntil === undefined) return dueAt;
  return pausedUntil === Infinity ? Math.max(dueAt, now + LOOK_AGAIN_MS) : dueAt + (pausedUntil - now);
}

/**
 * A warning that the answer may never arrive: no status of the question was reported, so that the connection may not be
 * subscribed.
 */
export async function silenceWords(call: Pick<ActionCall, 'ctx' | 'connectionId'>): Promise<string> {
  const silent = await listSilentConnections(call.ctx, [call.connectionId()]);
  return silent.size === 0
    ? ''
    : ' Its connection has never received a notification: check on its page whether it is subscribed to notifications.';
}
