// Most notifications are statuses of messages that a run sent, of which nothing is stored but themselves: no workflow is subscribed,
// no run waits, and the customer is known. A batch of them is stored by one statement, which writes nothing where any of that is not so.
import { perPool, type Pool } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { SEEN_STEP_HOURS } from '#lib/messaging/customers/customer-names.ts';
import { readStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change, Owned, StatusChange } from './notification-types.ts';
import { claimKey, markOf } from './record-change.ts';
import {
  firstMessageFrom,
  recordStatusesOf,
  type SentRow,
  STATUS_TYPES,
  tellOfStatus,
  toStep,
} from './record-statuses.ts';
import { type Delivery, IS_ARRIVAL_OLD, type StoredCount } from './store-deliveries.ts';

const TYPES = { ...STATUS_TYPES, number: 'text', user_id: 'text', change_key: 'text', mark: 'text' } as const;

/**
 * The names of the customer that the status says, all of one known customer; the name that the message was sent to is another name of
 * theirs only where the status has none of its kind.
 */
const IS_CUSTOMER_KNOWN = `
(m.recipient in (a.number, a.user_id) or case when m.recipient ~ '^[0-9]' then a.number else a.user_id end <> '')
and (
  select count(*) = cardinality(array_remove(array[a.number, a.user_id], '')) and count(distinct n.customer_id) = 1
    and bool_and(n.seen_at >= now() - make_interval(hours => ${SEEN_STEP_HOURS}))
  from unnest(array_remove(array[a.number, a.user_id], '')) as said(name) cross join lateral (
    select k.customer_id, k.seen_at from customer_names k where k.workspace_id = a.workspace_id and k.name = said.name offset 0
  ) n
)`;

// `(… in …) is true` becomes a hashed lookup, as in lib/engine/store/write.ts.
const STORE = `
with asked as materialized (
  select * from ${unnest(TYPES, 1)} as t(${namesOf(TYPES)})
), fits as materialized (
  select count(*) = (select count(*) from asked) as all_fit
  from asked a
  cross join lateral (${firstMessageFrom('a')}) m
  join connections c on c.id = a.connection_id and not ${IS_ARRIVAL_OLD}
  where m.message_id = a.message_id and m.run_id is not null and ${IS_CUSTOMER_KNOWN}
    and not exists (select from connection_subscriptions s where s.connection_id = a.connection_id)
    and not exists (
      select from received_changes e where e.connection_id = a.connection_id and e.change_key = a.mark
    )
), claimed as (
  insert into received_changes (connection_id, change_key)
  select connection_id, change_key from asked where (select all_fit from fits) order by connection_id, change_key
  on conflict do nothing returning connection_id, change_key
), stored as (
  ${recordStatusesOf(`
  select ${Object.keys(STATUS_TYPES)
    .map((name) => (name === 'errors' || name === 'timeline' ? `a.${name}::json` : `a.${name}`))
    .join(', ')}
  from asked a where ((a.connection_id, a.change_key) in (select connection_id, change_key from claimed)) is true
  order by a.workspace_id, a.message_id`)}
)
select f.all_fit, s.* from fits f left join stored s on true`;

/** After a batch that was none of these, the next ones are not tried: twice as many after each further one, up to this number. */
const MAX_LEFT_OUT = 256;

/** Of a process: how many batches are still left out, and how many were after the last one that failed. */
const leftOut = perPool(() => ({ left: 0, last: 0 }));

type StatusRow = { all_fit: boolean } & (SentRow | { [Name in keyof SentRow]: null });

/**
 * Stores a batch by one statement, if it only has such statuses.
 * @returns as `storeDeliveries`; undefined: nothing was stored, as it has other changes
 */
export async function storeStatuses(
  pool: Pool,
  deliveries: readonly Delivery[],
): Promise<StoredCount[] | undefined> {
  const statuses = readStatuses(deliveries);
  if (!statuses) return undefined;
  const tries = leftOut(pool);
  if (tries.left > 0) {
    tries.left -= 1;
    return undefined;
  }
  const { rows } = await pool.query<StatusRow>({
    name: 'store_statuses',
    text: STORE,
    values: toColumns(statuses).parameters,
  });
  if (rows[0]?.all_fit !== true) {
    tries.last = Math.min(Math.max(1, tries.last * 2), MAX_LEFT_OUT);
    tries.left = tries.last;
    return undefined;
  }
  tries.last = 0;
  const messages = new Map(rows.flatMap((row) => (row.message_id === null ? [] : [[keyOf(row), row]])));
  return deliveries.map(({ owner, changes }) => {
    const fresh = changes.filter((change) => {
      const row = messages.get(
        keyOf({ workspace_id: owner.workspaceId, message_id: (change as StatusChange).messageId }),
      );
      if (row) tellOfStatus(change as StatusChange, row);
      return row !== undefined;
    });
    return { changes: fresh.length, forwarded: 0, kept: 0 };
  });
}

const keyOf = ({
  workspace_id: workspaceId,
  message_id: messageId,
}: Pick<SentRow, 'workspace_id' | 'message_id'>) => `${workspaceId} ${messageId}`;

/** The changes of a batch, if all are statuses that say nothing of anybody but their message, each of another one. */
function readStatuses(deliveries: readonly Delivery[]): Owned<StatusChange>[] | undefined {
  const statuses: Owned<StatusChange>[] = [];
  const messages = new Set<string>();
  for (const { owner, changes, unread } of deliveries) {
    if (unread) return undefined;
    for (const change of changes) {
      if (!isPlain(change)) return undefined;
      statuses.push({ owner, change });
      messages.add(claimKey(owner.workspaceId, change.messageId));
    }
  }
  return statuses.length > 0 && messages.size === statuses.length ? statuses : undefined;
}

const isPlain = (change: Change): change is StatusChange =>
  change.kind === 'status' &&
  change.status !== 'failed' &&
  !change.isOfGroup &&
  (change.number !== '' || change.userId !== '') &&
  readStatusKey(toText(change.raw['biz_opaque_callback_data']), change.status) === undefined;

function toColumns(statuses: readonly Owned<StatusChange>[]): Columns {
  const columns = new Columns(TYPES);
  for (const { owner, change } of statuses)
    columns.add([
      owner.workspaceId,
      change.messageId,
      owner.connectionId,
      change.phoneNumberId,
      change.recipient,
      change.status,
      change.at.getTime(),
      change.errors.length > 0 ? JSON.stringify(change.errors) : null,
      JSON.stringify([toStep(change)]),
      change.number,
      change.userId,
      change.key,
      markOf(change.key),
    ]);
  return columns;
}
