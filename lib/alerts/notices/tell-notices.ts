import { sql } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import type { AccountNotice } from '#lib/messaging/schema/notice-types.ts';
import { recordAlert } from '../record-alert.ts';
import type { AlertRuntime } from '../runtime.ts';
import { describeNotice } from './describe-notice.ts';

/** Batch size. */
const BATCH = 100;

/** Tells what the platform said of templates and numbers since the last time, once each. */
export async function tellNotices(runtime: AlertRuntime): Promise<void> {
  for (;;) {
    const taken = await runtime.db.transaction((tx) => takeNotices(runtime, tx));
    if (taken < BATCH) return;
  }
}

interface Row extends Record<string, unknown> {
  workspace_id: string;
  notice: AccountNotice;
  connection_id: string;
  connection_name: string | null;
}

async function takeNotices(runtime: AlertRuntime, tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<Row>(sql`
    with taken as (
      delete from account_notices where id = any (array(
        select id from account_notices order by id limit ${BATCH} for update skip locked
      ))
      returning *
    )
    select t.workspace_id, t.notice, t.connection_id, c.name as connection_name
    from taken t left join connections c on c.id = t.connection_id order by t.id`);
  for (const { workspace_id: workspaceId, notice, connection_id: id, connection_name: name } of rows) {
    const told = name === null ? null : describeNotice(notice, { id, name });
    if (told) await recordAlert(runtime, tx, { workspaceId, workflowId: null, ...told });
  }
  return rows.length;
}
