import { createHash } from 'node:crypto';
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { inTransaction } from '#lib/core/db/in-transaction.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { forwardChanges } from './forward-changes.ts';
import { keepNotifications } from './keep-notifications.ts';
import { noteAccount } from './note-account.ts';
import type { Change } from './notification-types.ts';
import { parseNotification } from './parse-notification.ts';
import { noteStatusTroubles } from '#lib/messaging/troubles/note-trouble.ts';
import { type ChangeOwner, claimChanges } from './record-change.ts';
import { recordChanges } from './record-changes.ts';

/** How much of a body that cannot be read is kept with its event, as of a webhook's. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

export interface StoredCount {
  /** Changes that were not received before. */
  changes: number;
  /** Events of workflows. */
  forwarded: number;
  /** Events without a workflow. */
  kept: number;
}

const NOTE_ARRIVAL = `
update connections set last_notification_at = now()
where id = $1 and (last_notification_at is null or last_notification_at < now() - interval '1 minute')`;

/** The platform said that a template, a number or an account is another one now: what is known of it is old. */
const CHECK_SOON = 'update connections set check_due_at = null where id = $1';

/** Fields of conversations, which say nothing of templates, numbers and accounts, whatever they hold. */
const CONVERSATION_FIELDS: readonly string[] = [
  'messages',
  'smb_message_echoes',
  'message_echoes',
  'history',
  'smb_app_state_sync',
  'calls',
];

const concernsConnection = (change: Change): boolean =>
  change.kind === 'template' || (change.kind === 'other' && !CONVERSATION_FIELDS.includes(change.field));

/** Stores what a signed notification says, whatever it is, in one transaction; copies of it change nothing. */
export async function storeNotification(
  pool: Pool,
  owner: ChangeOwner,
  rawBody: Uint8Array,
): Promise<StoredCount> {
  const changes = readChanges(rawBody);
  if ('problem' in changes)
    return untilNoDeadlock(pool, owner, (client) => keepUnread(client, owner, rawBody, changes.problem));
  return storeChanges(pool, owner, changes);
}

/** The same with what a notification says, or with a part of it. */
export const storeChanges = (
  pool: Pool,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<StoredCount> => untilNoDeadlock(pool, owner, (client) => storeIn(client, owner, changes));

/** What a notification says; `problem`: it is not JSON. */
export function readChanges(rawBody: Uint8Array): Change[] | { problem: string } {
  try {
    return parseNotification(parseJsonBytes(rawBody));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: `The body is not valid JSON: ${error.message}.` };
    throw error;
  }
}

async function storeIn(
  client: Queryable,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<StoredCount> {
  const keys = changes.map(({ key }) => key);
  const fresh = await claimChanges(client, owner.connectionId, keys);
  const first = changes.filter(
    (change, index) => fresh.has(change.key) && keys.indexOf(change.key) === index,
  );
  const recorded = await recordChanges(client, owner, first);
  const receivedAt = new Date();
  if (first.some(concernsConnection)) {
    await client.query(CHECK_SOON, [owner.connectionId]);
    await noteAccount(client, owner, first, receivedAt);
  }
  await noteStatusTroubles(client, owner, first.flatMap(codesOf));
  return { changes: first.length, ...(await forwardChanges(client, owner, recorded, receivedAt)) };
}

/** Of the errors of a failed message. */
const codesOf = (change: Change): number[] =>
  change.kind === 'status' && change.status === 'failed' ? change.errors.map(({ code }) => code) : [];

async function keepUnread(
  client: Queryable,
  owner: ChangeOwner,
  rawBody: Uint8Array,
  reason: string,
): Promise<StoredCount> {
  const key = `unread:${createHash('sha256').update(rawBody).digest('base64url')}`;
  const fresh = await claimChanges(client, owner.connectionId, [key]);
  if (fresh.size === 0) return { changes: 0, forwarded: 0, kept: 0 };
  const body = Buffer.from(rawBody.subarray(0, KEPT_BYTES_OF_INVALID));
  await keepNotifications(client, owner, [{ outcome: 'rejected', reason, body }], new Date());
  return { changes: 1, forwarded: 0, kept: 1 };
}

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/** Notifications about the same customers may reach them in another order; who is stopped for it begins again. */
async function untilNoDeadlock<Result>(
  pool: Pool,
  owner: ChangeOwner,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryTransaction(pool, owner, work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}

const tryTransaction = <Result>(
  pool: Pool,
  { connectionId }: ChangeOwner,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> =>
  inTransaction(pool, async (client) => {
    const result = await work(client);
    await client.query(NOTE_ARRIVAL, [connectionId]);
    return result;
  });
