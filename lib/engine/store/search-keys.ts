// Keys by which events are found at once (docs/webhooks.md, "Search"): texts are searched from the newest event on.
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#lib/core/db/client.ts';

const MAX_KEY = 200;
/** A value that all events have would find all of them: the newest are listed. */
const MAX_EVENTS = 1000;

/** A value as it is stored and looked up, regardless of case; undefined: empty, or too long for a key. */
export function toSearchKey(value: string): string | undefined {
  const key = value.normalize('NFKC').trim().toLowerCase();
  return key === '' || key.length > MAX_KEY || key.includes('\0') ? undefined : key;
}

const ADD = `
insert into search_keys (event_id, workspace_id, key)
select a.event_id, w.workspace_id, a.key from unnest($1::uuid[], $2::bytea[], $3::text[]) as a(event_id, token_hash, key)
join webhook_tokens t on t.token_hash = a.token_hash join workflows w on w.id = t.workflow_id
on conflict (event_id) do update set key = excluded.key`;

/** What is found by its key. */
interface Keyed {
  eventId: string;
  tokenHash: Buffer;
  searchKey: string;
}

export const isKeyed = <Item extends { searchKey?: string | undefined }>(
  arrival: Item,
): arrival is Item & { searchKey: string } => arrival.searchKey !== undefined;

/** Stores the keys of arrivals before these, so that no stored event lacks its key. One of a refused arrival finds nothing. */
export async function addSearchKeys(client: Queryable, keyed: readonly Keyed[]): Promise<void> {
  await client.query({
    name: 'add_search_keys',
    text: ADD,
    values: [
      keyed.map(({ eventId }) => eventId),
      keyed.map(({ tokenHash }) => tokenHash),
      keyed.map(({ searchKey }) => searchKey),
    ],
  });
}

/** SQL that gives the replay of an event its key. */
export const copySearchKey = (from: string, to: string): SQL => sql`
insert into search_keys (event_id, workspace_id, key)
select ${to}::uuid, workspace_id, key from search_keys where event_id = ${from}`;

/** SQL: the newest events with a key, as the column `event_id`. A row value serves one index only (lib/core/db/paging.ts). */
export const eventsWithKey = (workspaceId: string, key: string): SQL => sql`
select event_id from search_keys where (workspace_id, key) = (${workspaceId}, ${key})
order by workspace_id desc, key desc, event_id desc limit ${MAX_EVENTS}`;
