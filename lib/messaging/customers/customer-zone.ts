// The time zone of a customer (docs/decisions/time-zones.md).
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Queryable } from '#lib/core/db/client.ts';
import { zoneOfCountry } from '#lib/core/time/hours.ts';
import { isZone } from '#lib/core/time/zones.ts';
import type { Context } from '#lib/identity/context.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';
import { namesOfCustomer } from './customer-names.ts';
import { SINCE_SLACK } from './customer-rows.ts';
import { findCustomerOfRun } from './runs-of-customer.ts';

/** The attribute of a customer that holds their time zone. */
export const ZONE_ATTRIBUTE = 'time_zone';

/** What decides on the time zone of a customer. */
export interface ZoneFacts {
  /** Of the workspace. */
  zone: string;
  /** All known names of the customer. */
  names: string[];
  /** The customer's attribute; null: there is none. */
  own: string | null;
}

/** SQL of all names of a customer `asked` (workspace_id, recipient). */
export const NAMES = namesOfCustomer('asked.workspace_id', 'asked.recipient');

/** SQL of their attribute. What was remembered of an earlier owner of a number does not count. */
export const OWN_ZONE = `(
    select own.value from (${NAMES}) as known(name) cross join lateral (
      select a.value, a.at from customer_attributes a
      left join customer_names k on k.workspace_id = a.workspace_id and k.name = a.name
      where a.workspace_id = asked.workspace_id and a.name = known.name and a.attribute = '${ZONE_ATTRIBUTE}'
        and (k.name is null or a.at >= k.learned_at - interval '${SINCE_SLACK}') offset 0
    ) own order by own.at desc limit 1
  )`;

/** By the attribute, else the country of a number or user id, else the workspace's. */
export function zoneOfCustomer({ own, names, zone }: ZoneFacts, at: Date): string {
  const named = own?.trim() ?? '';
  if (isZone(named)) return named;
  for (const name of names) {
    const country = isUserId(name) ? name.slice(0, 2) : parsePhoneNumberFromString(`+${name}`)?.country;
    const found = country === undefined ? undefined : zoneOfCountry(country, at);
    if (found !== undefined) return found;
  }
  return zone;
}

const FIND = `
with asked as (select $1::uuid as workspace_id, $2::text as recipient)
select coalesce((select w.zone from workspace_times w where w.workspace_id = asked.workspace_id), 'UTC') as zone,
  array(${NAMES}) as names, ${OWN_ZONE} as own
from asked`;

/** The time zone of a customer at an instant. @param recipient a number or user id, as the platform names it */
export async function findCustomerZone(
  client: Queryable,
  { workspaceId, recipient, at }: { workspaceId: string; recipient: string; at: Date },
): Promise<string> {
  const { rows } = await client.query<ZoneFacts>(FIND, [workspaceId, recipient]);
  return zoneOfCustomer(rows[0] ?? { zone: 'UTC', names: [recipient], own: null }, at);
}

/** The same of the customer whom a run is about; undefined: there is none, or several. */
export async function findZoneOfRun(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  runId: string,
  at: Date,
): Promise<string | undefined> {
  const recipient = await findCustomerOfRun({ db, workspaceId }, runId);
  return recipient === undefined ? undefined : findCustomerZone(db.$client, { workspaceId, recipient, at });
}
