import { and, eq, lte, sql } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { type AlertKind, KIND_INFO } from '../kinds.ts';
import { alertRecipients } from '../schema.ts';
import { NOTHING_SENT, RECIPIENT, type WindowState, weighNext } from './weigh-window.ts';

/** Whether many alerts of a kind are combined: those that every workflow may have. */
export const comesInDigests = (kind: AlertKind): boolean => KIND_INFO[kind].scope === 'workflow';

/** The first half of the key of the lock; the other is the workspace. */
const LOCK = 7_278_301;

/**
 * Locks the recipients of a workspace until the transaction ends. Call it after all locks of `alert_states`, and for several
 * workspaces in the order of their ids, so that transactions cannot deadlock.
 */
export async function lockRecipients(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${workspaceId}))`);
}

interface RecipientKey {
  workspaceId: string;
  kind: AlertKind;
  recipient: string;
}

/**
 * Whether another alert is sent to a recipient immediately.
 * @param recipient the key of `Recipient`; the workspace's recipients are locked
 * @returns null: immediately; or the recipient whose digest it waits for, an id of `alert_recipients`
 */
export async function takeTurn(
  tx: Transaction,
  { workspaceId, kind, recipient }: RecipientKey,
  now: Date,
): Promise<string | null> {
  const [known] = await tx
    .select()
    .from(alertRecipients)
    .where(
      and(
        eq(alertRecipients.workspaceId, workspaceId),
        eq(alertRecipients.kind, kind),
        eq(alertRecipients.recipient, recipient),
      ),
    );
  const before = known ? toState(known) : NOTHING_SENT;
  const { isDirect, state } = weighNext(before, now.getTime(), RECIPIENT);
  const id = known?.id ?? newId();
  // Waiting changes nothing: after 500 writes in one transaction, reading the row would take 7 ms.
  if (known && state !== before) await saveRecipient(tx, id, state);
  if (!known)
    await tx.insert(alertRecipients).values({ id, workspaceId, kind, recipient, ...toColumns(state) });
  return isDirect ? null : id;
}

/** Recipients whose digest is due. */
export const listDueRecipients = (
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<(typeof alertRecipients.$inferSelect)[]> =>
  tx
    .select()
    .from(alertRecipients)
    .where(and(eq(alertRecipients.workspaceId, workspaceId), lte(alertRecipients.digestAt, now)))
    .orderBy(alertRecipients.id);

export async function saveRecipient(tx: Transaction, id: string, state: WindowState): Promise<void> {
  await tx.update(alertRecipients).set(toColumns(state)).where(eq(alertRecipients.id, id));
}

const toState = ({
  windowStartedAt,
  directCount,
  digestAt,
}: typeof alertRecipients.$inferSelect): WindowState => ({
  windowStartMs: windowStartedAt.getTime(),
  directCount,
  digestAtMs: digestAt?.getTime() ?? null,
});

const toColumns = ({ windowStartMs, directCount, digestAtMs }: WindowState) => ({
  windowStartedAt: new Date(windowStartMs ?? 0),
  directCount,
  digestAt: digestAtMs === null ? null : new Date(digestAtMs),
});
