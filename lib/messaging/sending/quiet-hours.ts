// Quiet hours for marketing, in the time zone of the customer (docs/decisions/sending.md). Runs wait for their end with those that wait
// for the end of a hold.
import type { Pool } from '#lib/core/db/client.ts';
import { findDailyEnd, type Span } from '#lib/core/time/hours.ts';
import { NAMES, OWN_ZONE, type ZoneFacts, zoneOfCustomer } from '#lib/messaging/customers/customer-zone.ts';

/** What decides whether it is quiet hours for a customer. */
export interface Quiet extends ZoneFacts {
  hours: Span;
  /** By the database's clock, in milliseconds since 1970. */
  at: number;
}

export interface QuietEnd {
  until: Date;
  /** The customer's. */
  zone: string;
}

/** SQL of the quiet hours of the workspace of `asked`; no row: it has none. */
export const TIMES = `
select w.zone, w.quiet_hours from workspace_times w where w.workspace_id = asked.workspace_id and w.quiet_hours is not null`;

/** SQL of `Quiet` for `asked` and its `times`. */
export const QUIET = `
case when times.zone is not null then json_build_object('hours', times.quiet_hours, 'zone', times.zone, 'names', array(${NAMES}),
  'at', floor(extract(epoch from clock_timestamp()) * 1000), 'own', ${OWN_ZONE}) end`;

/** When the customer's quiet hours end; undefined: there are none now. */
export function findQuietEnd(quiet: Quiet): QuietEnd | undefined {
  const at = new Date(quiet.at);
  const zone = zoneOfCustomer(quiet, at);
  const until = findDailyEnd(quiet.hours, zone, at);
  return until && { until, zone };
}

/** Waits for a change that another transaction has not committed yet, which cannot see the wait that was just recorded. */
const FIND = `
with asked as (select $1::uuid as workspace_id, $2::text as recipient),
times as (${TIMES.replace('asked.workspace_id', '$1::uuid')} for share of w)
select ${QUIET} as quiet from asked cross join times`;

/** The same for a recipient. Asked after the wait for it was recorded. */
export async function readQuietEnd(
  pool: Pool,
  { workspaceId, recipient }: { workspaceId: string; recipient: string },
): Promise<QuietEnd | undefined> {
  const { rows } = await pool.query<{ quiet: Quiet }>({
    name: 'find_quiet_end',
    text: FIND,
    values: [workspaceId, recipient],
  });
  return rows[0] && findQuietEnd(rows[0].quiet);
}
