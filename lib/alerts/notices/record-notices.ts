import { and, eq, sql } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import { type NewAlert, recordAlert } from '#lib/alerts/record-alert.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertStates } from '#lib/alerts/schema.ts';
import { takeNoted } from '#lib/alerts/take-noted.ts';
import type { Transaction } from '#lib/identity/context.ts';
import {
  ACCOUNT_TROUBLE,
  type AccountNotice,
  type AccountTrouble,
} from '#lib/messaging/schema/notice-types.ts';
import { describeNotice } from './describe-notice.ts';

/** Batch size. */
const BATCH = 100;

/** Reports the platform's new notices about templates, numbers and accounts, once each. */
export async function recordNotices(runtime: AlertRuntime, now = new Date()): Promise<void> {
  for (;;) {
    const taken = await runtime.db.transaction((tx) => takeNotices(runtime, tx, now));
    if (taken < BATCH) return;
  }
}

interface Row extends Record<string, unknown> {
  workspace_id: string;
  notice: AccountNotice;
  connection_id: string;
  connection_name: string | null;
}

async function takeNotices(runtime: AlertRuntime, tx: Transaction, now: Date): Promise<number> {
  const { rows } = await tx.execute<Row>(sql`
    with taken as (${takeNoted('account_notices', BATCH)})
    select t.workspace_id, t.notice, t.connection_id, c.name as connection_name
    from taken t left join connections c on c.id = t.connection_id order by t.id`);
  const told = await listTold(tx, rows, now);
  for (const each of told) await recordAlert(runtime, tx, { ...each, workflowId: null }, now);
  return rows.length;
}

/** All states are locked before the first alert is recorded, in one order, so that workers cannot deadlock. */
async function listTold(
  tx: Transaction,
  rows: readonly Row[],
  now: Date,
): Promise<Omit<NewAlert, 'workflowId'>[]> {
  const told: Omit<NewAlert, 'workflowId'>[] = [];
  const troubles = new Map<string, Omit<NewAlert, 'workflowId'>>();
  for (const { workspace_id: workspaceId, notice, connection_id: id, connection_name: name } of rows) {
    if (name === null) continue;
    if (notice.field === ACCOUNT_TROUBLE) {
      const content = describeTrouble({ id, name }, notice.value);
      troubles.set(matterOf(id, notice.value), { workspaceId, kind: 'connection', content });
      continue;
    }
    const found = describeNotice(notice, { id, name });
    if (found) told.push({ workspaceId, ...found });
  }
  for (const [matter, each] of [...troubles].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (await rememberTrouble(tx, each.workspaceId, matter, now)) told.push(each);
  return told;
}

/** The problem is over after this time without a further refusal; the next one is reported again. */
const OVER_MS = 24 * 3_600_000;

/** A connection's problem that is reported once: another one is reported separately. */
const matterOf = (connectionId: string, { kind }: AccountTrouble): string =>
  `account:${connectionId}:${kind}`;

/**
 * Records that the platform refuses to work for an account, and locks the state until the transaction ends.
 * @returns whether it is not reported yet, or was over since
 */
async function rememberTrouble(
  tx: Transaction,
  workspaceId: string,
  matter: string,
  now: Date,
): Promise<boolean> {
  const [known] = await tx
    .insert(alertStates)
    .values({ workspaceId, matter })
    .onConflictDoUpdate({ target: [alertStates.workspaceId, alertStates.matter], set: { matter } })
    .returning();
  const isNew = !known || known.toldOf === null || now.getTime() - known.updatedAt.getTime() >= OVER_MS;
  await tx
    .update(alertStates)
    .set({ toldOf: 'refused', updatedAt: now, ...(isNew ? { toldAt: now } : {}) })
    .where(and(eq(alertStates.workspaceId, workspaceId), eq(alertStates.matter, matter)));
  return isNew;
}

const WORDS: Readonly<
  Record<AccountTrouble['kind'], { title: (name: string) => string; why: string; fix: string }>
> = {
  restricted: {
    title: (name) => `The account of the connection “${name}” is restricted`,
    why: 'The platform refuses messages because it has restricted the business account, or its messages to a country.',
    fix: 'See the account’s page at the platform for the reason and how to appeal. When the restriction is lifted, retry the runs that failed since then.',
  },
  payment: {
    title: (name) => `The account of the connection “${name}” has a payment problem`,
    why: 'The platform refuses messages because it cannot charge the business account.',
    fix: 'Add or fix the payment method of the account at the platform, then retry the runs that failed since then.',
  },
};

/** The alert about it. */
function describeTrouble({ id, name }: { id: string; name: string }, trouble: AccountTrouble): AlertContent {
  const { title, why, fix } = WORDS[trouble.kind];
  return {
    title: title(name),
    paragraphs: [`${why}${trouble.code === null ? '' : ` Its error code is ${trouble.code}.`}`, fix],
    link: { label: 'Open the connection', path: `/connections/${id}` },
  };
}
