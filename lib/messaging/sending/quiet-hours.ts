// Quiet hours for marketing, in the time zone of the customer (docs/decisions/sending.md). Runs wait for their end with those that wait
// for the end of a hold.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Pool } from '#lib/core/db/client.ts';
import { findDailyEnd, type Span, zoneOfCountry } from '#lib/core/time/hours.ts';
import { isZone } from '#lib/core/time/zones.ts';
import { SINCE_SLACK } from '#lib/messaging/customers/customer-rows.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';

/** The attribute of a customer that holds their time zone. */
export const ZONE_ATTRIBUTE = 'time_zone';

/** What decides whether it is quiet hours for a customer. */
export interface Quiet {
  hours: Span;
  /** Of the workspace. */
  zone: string;
  /** All known names of the customer. */
  names: string[];
  /** The customer's attribute; null: there is none. */
  own: string | null;
  /** By the database's clock, in milliseconds since 1970. */
  at: number;
}

export interface QuietEnd {
  until: Date;
  /** The customer's. */
  zone: string;
}

/** SQL of all names of a customer `asked` (workspace_id, recipient), as `namesOfCustomer`, by the index of customers alone. */
export const NAMES = `
select asked.recipient
union all
select n.name from (
  select name, workspace_id from customer_names where customer_id = (
    select k.customer_id from customer_names k where k.workspace_id = asked.workspace_id and k.name = asked.recipient
  ) offset 0
) n where n.workspace_id = asked.workspace_id`;

/** SQL of the quiet hours of the workspace of `asked`; no row: it has none. */
export const TIMES = `
select w.zone, w.quiet_hours from workspace_times w where w.workspace_id = asked.workspace_id and w.quiet_hours is not null`;

/** SQL of `Quiet` for `asked` and its `times`. What was remembered of an earlier owner of a number does not count. */
export const QUIET = `
case when times.zone is not null then json_build_object('hours', times.quiet_hours, 'zone', times.zone, 'names', array(${NAMES}),
  'at', floor(extract(epoch from clock_timestamp()) * 1000), 'own', (
    select own.value from (${NAMES}) as known(name) cross join lateral (
      select a.value, a.at from customer_attributes a
      left join customer_names k on k.workspace_id = a.workspace_id and k.name = a.name
      where a.workspace_id = asked.workspace_id and a.name = known.name and a.attribute = '${ZONE_ATTRIBUTE}'
        and (k.name is null or a.at >= k.learned_at - interval '${SINCE_SLACK}') offset 0
    ) own order by own.at desc limit 1
  )) end`;

/** When the customer's quiet hours end; undefined: there are none now. */
export function findQuietEnd(quiet: Quiet): QuietEnd | undefined {
  const at = new Date(quiet.at);
  const zone = zoneOfCustomer(quiet, at);
  const until = findDailyEnd(quiet.hours, zone, at);
  return until && { until, zone };
}

/** By the attribute, else the country of a number or user id, else the workspace's. */
function zoneOfCustomer({ own, names, zone }: Quiet, at: Date): string {
  const named = own?.trim() ?? '';
  if (isZone(named)) return named;
  for (const name of names) {
    const country = isUserId(name) ? name.slice(0, 2) : parsePhoneNumberFromString(`+${name}`)?.country;
    const found = country === undefined ? undefined : zoneOfCountry(country, at);
    if (found !== undefined) return found;
  }
  return zone;
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
