import { sql } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { ACCOUNT_TROUBLE, type AccountNotice } from '#lib/messaging/schema/notice-types.ts';
import { type NewAlert, recordAlert } from '../record-alert.ts';
import type { AlertRuntime } from '../runtime.ts';
import { describeTrouble, matterOf, rememberTrouble } from './account-troubles.ts';
import { describeNotice } from './describe-notice.ts';

/** Batch size. */
const BATCH = 100;

/** Reports the platform's new notices about templates, numbers and accounts, once each. */
export async function tellNotices(runtime: AlertRuntime, now = new Date()): Promise<void> {
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
    with taken as (
      delete from account_notices where id = any (array(
        select id from account_notices order by id limit ${BATCH} for update skip locked
      ))
      returning *
    )
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
