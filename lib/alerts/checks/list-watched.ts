import { sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/sql.ts';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';

/** Workspaces with a destination for a kind that is off by default: others need not be checked. */
export async function listWatched({ db }: Pick<AlertRuntime, 'db'>, kind: AlertKind): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select d.workspace_id as id from alert_destinations d where d.enabled and ${kind} = any (d.kinds)
    union
    select w.workspace_id from workflow_alert_settings s join workflows w on w.id = s.workflow_id
    where (s.settings::jsonb #> '{own,kinds}') ? ${kind}`,
  );
  return rows.map(({ id }) => id);
}
