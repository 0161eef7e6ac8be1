// Notifications that arrive together are stored together: by a few statements for all of their changes, in one transaction.
import { createHash } from 'node:crypto';
import { type Pool, untilNoDeadlock } from '#lib/core/db/client.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import type { Change, ChangeOwner } from './notification-types.ts';
import { parseNotification } from './parse-notification.ts';
import { type Delivery, storeDeliveries, type StoredCount } from './store-deliveries.ts';
import { storeStatuses } from './store-statuses.ts';

/** Stored bytes of an unreadable body, as for webhooks. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

const MAX_DELIVERIES = 256;
/** As many as the platform puts into one notification. */
const MAX_CHANGES = 1000;
/** One batch at a time, as the intake of webhooks writes them: with two, batches are half as large. */
const LANES = 1;
/**
 * A batch with more than statuses is ten statements one after another: twice as many notifications in it save more than this wait
 * (docs/decisions/notifications.md).
 */
const GATHER_MS = 2;

/** Longer than senders wait for an answer: what is stored after that comes again anyway. */
const MAX_WAIT_MS = 10_000;

const isOfStatuses = ({ changes }: Delivery): boolean => changes.every(({ kind }) => kind === 'status');

/** One that cannot be stored does not refuse those that arrived with it: they are stored one by one. */
const storeOf = groupByPool<Delivery, StoredCount | undefined>(
  async (pool, batch) =>
    (await storeStatuses(pool, batch)) ??
    // Concurrent notifications about the same customers may lock them in another order.
    untilNoDeadlock(pool, (client) => storeDeliveries(client, batch)),
  {
    maxBatch: MAX_DELIVERIES,
    maxWeight: MAX_CHANGES,
    weigh: ({ changes }) => changes.length,
    lanes: LANES,
    gatherMs: (batch) => (batch.every(isOfStatuses) ? 0 : GATHER_MS),
    splitsFailed: (error) => !isDatabaseUnavailable(error),
    maxWaitMs: MAX_WAIT_MS,
  },
);

/**
 * Stores what a signed notification says, whatever it is; copies of it change nothing. It is committed when this returns.
 * @returns undefined where the connection does not exist any more
 * @throws WaitedTooLong after ten seconds, when notifications arrive faster than they are stored: nothing of it is stored
 */
export function storeNotification(
  pool: Pool,
  owner: ChangeOwner,
  rawBody: Uint8Array,
): Promise<StoredCount | undefined> {
  const changes = readChanges(rawBody);
  if (!('problem' in changes)) return storeChanges(pool, owner, changes);
  const unread = {
    key: `unread:${createHash('sha256').update(rawBody).digest('base64url')}`,
    body: Buffer.from(rawBody.subarray(0, KEPT_BYTES_OF_INVALID)),
    reason: changes.problem,
  };
  return storeOf(pool).add({ owner, changes: [], unread });
}

/** The same with the parsed content of a notification, or with a part of it. */
export const storeChanges = (
  pool: Pool,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<StoredCount | undefined> => storeOf(pool).add({ owner, changes });

/** The content of a notification; `problem`: it is not JSON. */
export function readChanges(rawBody: Uint8Array): Change[] | { problem: string } {
  try {
    return parseNotification(parseJsonBytes(rawBody));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: `The body is not valid JSON: ${error.message}.` };
    throw error;
  }
}
