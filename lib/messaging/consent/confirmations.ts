// Answers to messages that stopped or gave consent again. Each is recorded with the change and its job; a worker records that it is
// about to send before the request, and what was recorded so is never sent again (docs/decisions/sending.md).
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { databaseOn, inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError } from '#lib/core/errors.ts';
import { about } from '#lib/core/log-fields.ts';
import { type JobHandler, JobPostponed, type JobResult } from '#lib/core/queue/job-consumer.ts';
import { CONFIRMATIONS, type JobKind, queueJob } from '#lib/core/queue/job-table.ts';
import type { Context } from '#lib/identity/context.ts';
import { ConnectionError, withAccessToken } from '#lib/messaging/connections/tokens/access-token.ts';
import { sendMessage } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { ConfirmationStatus, ConsentState } from '#lib/messaging/schema/consent-types.ts';
import { findBlock } from '#lib/messaging/sending/find-blocks.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { limitsOf, takeTurn } from '#lib/messaging/sending/take-turn.ts';

export interface NewConfirmation {
  id: string;
  workspaceId: string;
  connectionId: string;
  phoneNumberId: string;
  customer: string;
  state: ConsentState;
  text: string;
  windowClosesAt: Date;
}

/** Its payload is `{ confirmation_id }`. */
const CONFIRM: JobKind = { task: 'confirm_consent', lane: CONFIRMATIONS };

const QUEUE = `
with queued as (
  insert into consent_confirmations (id, workspace_id, connection_id, phone_number_id, customer, state, text, window_closes_at, created_at)
  select *, $9::timestamptz from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
  returning id
)
select ${queueJob(CONFIRM, `json_build_object('confirmation_id', id)`)} from queued`;

/** Queues confirmations, each with its job. @param client of the transaction that stores the changes */
export async function queueConfirmations(
  client: Queryable,
  confirmations: readonly NewConfirmation[],
): Promise<void> {
  if (confirmations.length === 0) return;
  await client.query(QUEUE, [
    confirmations.map(({ id }) => id),
    confirmations.map(({ workspaceId }) => workspaceId),
    confirmations.map(({ connectionId }) => connectionId),
    confirmations.map(({ phoneNumberId }) => phoneNumberId),
    confirmations.map(({ customer }) => customer),
    confirmations.map(({ state }) => state),
    confirmations.map(({ text }) => text),
    confirmations.map(({ windowClosesAt }) => windowClosesAt),
    // By the clock of the customer's message, so that the timeline has the answer after it.
    new Date(),
  ]);
}

export interface ConfirmationRow extends NewConfirmation {
  status: ConfirmationStatus;
  reason: string | null;
  sentId: string | null;
  at: Date;
}

/** SQL of a confirmation. */
const CONFIRMATION_COLUMNS = `id, workspace_id as "workspaceId", connection_id as "connectionId",
  phone_number_id as "phoneNumberId", customer, state, text, window_closes_at as "windowClosesAt", status, reason,
  sent_id as "sentId", created_at as at`;

const OF_SENT = `select ${CONFIRMATION_COLUMNS} from consent_confirmations where workspace_id = $1 and sent_id = any($2::text[])`;

/** The confirmations among sent messages, by their ids. */
export async function findConfirmations(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  sentIds: readonly string[],
): Promise<ReadonlyMap<string, ConfirmationRow>> {
  if (sentIds.length === 0) return new Map();
  const { rows } = await db.$client.query<ConfirmationRow>(OF_SENT, [workspaceId, sentIds]);
  return new Map(rows.map((row) => [row.sentId ?? '', row]));
}

const UNSENT = `select ${CONFIRMATION_COLUMNS} from consent_confirmations where workspace_id = $1 and id = any($2::uuid[])`;

/** Confirmations by their own ids. */
export async function findUnsent(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
): Promise<ConfirmationRow[]> {
  if (ids.length === 0) return [];
  return (await db.$client.query<ConfirmationRow>(UNSENT, [workspaceId, ids])).rows;
}

type Runtime = Pick<MessagingRuntime, 'db' | 'hot' | 'secrets' | 'platform' | 'baseUrl' | 'logger'>;

const payloadSchema = z.object({ confirmation_id: z.uuid() });

/** Sends confirmations. */
export const createConfirmationHandler = (runtime: Runtime): JobHandler => ({
  ...CONFIRM,
  handle: ({ payload }) => confirm(runtime, payloadSchema.parse(payload).confirmation_id),
});

/** Why a confirmation is not sent; nothing left. */
class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** Another worker sends it, or it was erased. */
class Taken extends Error {
  override readonly name = 'Taken';
}

const FIND = `select ${CONFIRMATION_COLUMNS} from consent_confirmations where id = $1 and status in ('queued', 'sending')`;

async function confirm(runtime: Runtime, id: string): Promise<JobResult> {
  const { rows } = await runtime.hot.query<ConfirmationRow>(FIND, [id]);
  const [row] = rows;
  if (!row) return;
  // A worker died after it recorded that it sends.
  if (row.status === 'sending') return end(runtime, id, { status: 'unknown' });
  try {
    await waitForTurn(runtime, row);
    await send(runtime, row);
  } catch (error) {
    return settle(runtime, row, error);
  }
}

/** @throws JobPostponed where its turn is later */
async function waitForTurn({ hot, platform }: Runtime, row: ConfirmationRow): Promise<void> {
  const { id, connectionId, phoneNumberId, customer: recipient } = row;
  const limits = await limitsOf(hot, { connectionId, phoneNumberId }, platform.limits);
  const turnKey = `confirmation:${id}`;
  const turn = await takeTurn(hot, { phoneNumberId, recipient, turnKey, isFirstAttempt: false, limits });
  if (turn.kind === 'later') throw new JobPostponed('Waiting for its turn', turn.seconds * 1000);
  if (turn.waitMs > 0) await sleep(turn.waitMs);
}

const START = `update consent_confirmations set status = 'sending' where id = $1 and status = 'queued'`;
const WITHDRAW = `update consent_confirmations set status = 'queued' where id = $1 and status = 'sending'`;

async function send(runtime: Runtime, row: ConfirmationRow): Promise<void> {
  const { db, hot, secrets, platform, baseUrl, logger } = runtime;
  const { id, workspaceId, connectionId, phoneNumberId, customer: recipient, text } = row;
  const beforeSending = async (): Promise<void> => {
    const started = await hot.query(START, [id]);
    if (started.rowCount !== 1) throw new Taken('It is not queued any more.');
    if (row.windowClosesAt <= new Date())
      throw new NotSent('The 24-hour window closed before it could be sent.');
    // A stop does not keep it back: it says that the stop counts.
    const block = await retryWhileUnavailable(() => findBlock(hot, { workspaceId, recipient, secrets }));
    if (block?.hold) throw new NotSent('The customer is on hold.');
  };
  const ctx = { db, secrets, platform, baseUrl, workspaceId };
  const { messageId, messageStatus, number } = await withAccessToken(ctx, connectionId, async (access) => {
    try {
      const message = { type: 'text' as const, body: text, previewUrl: false };
      return await sendMessage({ ...access, beforeSending }, phoneNumberId, recipient, message);
    } catch (error) {
      if (didNotLeave(error)) await hot.query(WITHDRAW, [id]);
      throw error;
    }
  });
  const sent = { messageId, messageStatus, connectionId, phoneNumberId, recipient, number, taskRun: null };
  try {
    await retryWhileUnavailable(() =>
      inTransaction(hot, async (client) => {
        await recordSent({ db: databaseOn(client), workspaceId }, { ...sent, kind: 'text' });
        await end({ hot: client }, id, { status: 'sent', sentId: messageId });
      }),
    );
  } catch (error) {
    logger.error({ err: error, ...about({ messageId }) }, 'a sent confirmation could not be recorded');
  }
}

const didNotLeave = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof PlatformError && error.kind !== 'lost_answer');

/** What follows from an error: another attempt, or the end. */
async function settle(
  runtime: Runtime,
  { id, windowClosesAt }: ConfirmationRow,
  error: unknown,
): Promise<JobResult> {
  if (error instanceof Taken) return;
  if (error instanceof PlatformError && error.kind === 'lost_answer')
    return end(runtime, id, { status: 'unknown' });
  const reason = describe(error);
  // Not of the platform: the job is repeated, and looks how far it came.
  if (reason === undefined) throw error;
  const isLasting =
    error instanceof PlatformError
      ? error.meaning.retry === 'never'
      : !(error instanceof ConnectionError) || error.isFinal;
  if (!isLasting && windowClosesAt > new Date()) return { failedBecause: reason };
  return end(runtime, id, { status: 'not_sent', reason });
}

function describe(error: unknown): string | undefined {
  if (error instanceof NotSent) return error.message;
  if (error instanceof PlatformError) return `${error.message.replace(/\.$/, '')}. ${error.meaning.hint}`;
  if (error instanceof ConnectionError) return `Invalid or expired access token: ${error.message}`;
  return error instanceof AppError && error.code === 'not_found' ? 'Its connection was removed.' : undefined;
}

const END = `update consent_confirmations set status = $2, reason = $3, sent_id = $4 where id = $1 and status <> 'sent'`;

interface Ended {
  status: ConfirmationStatus;
  reason?: string;
  sentId?: string;
}

async function end(
  { hot }: { hot: Queryable },
  id: string,
  { status, reason, sentId }: Ended,
): Promise<void> {
  await hot.query(END, [id, status, reason ?? null, sentId ?? null]);
}
