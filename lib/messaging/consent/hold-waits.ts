// Runs that wait for the end of a customer's hold, or of quiet hours (docs/decisions/sending.md). They wait for a signal under the name
// that they send to, and look again when it ends; whatever wakes them, they check it before they send.
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { deliverSignals } from '#lib/engine/store/deliver-signals.ts';
import type { TaskContext } from '#lib/engine/task-executor.ts';
import type { Context } from '#lib/identity/context.ts';
import { customerKey, namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';

/** The key of waits for the end of a hold; it follows a customer's new number as those for messages do. */
export const holdKey = (name: string): string => customerKey('hold', name);

/** The key of waits for the end of quiet hours: they hold up no message that does not wait for these. */
export const quietKey = (name: string): string => customerKey('quiet', name);

/** Prefixes of these keys. */
export const HOLD_KEYS = holdKey('');
export const QUIET_KEYS = quietKey('');

const wake = async (
  client: Queryable,
  kind: 'hold' | 'quiet',
  { workspaceId, keys }: { workspaceId: string; keys: string[] },
): Promise<void> =>
  void (await deliverSignals(client, [
    { workspaceId, keys, id: `${kind}:${newId()}`, payload: `{"kind":"${kind}"}` },
  ]));

/** Wakes runs that wait for the end of the customer's hold. @param client of the transaction that changes the hold */
export const wakeWaiting = (
  client: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<void> => wake(client, 'hold', { workspaceId, keys: names.map(holdKey) });

const QUIET = `
select distinct key from signal_waits where workspace_id = $1 and is_open and key like '${QUIET_KEYS}%'`;

/** Wakes all runs of a workspace that wait for the end of quiet hours. @param client of the transaction that changes these */
export async function wakeQuiet(client: Queryable, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ key: string }>(QUIET, [workspaceId]);
  await wake(client, 'quiet', { workspaceId, keys: rows.map(({ key }) => key) });
}

/** Wakes a customer's runs that wait for the end of quiet hours. @param client of the transaction that changes their time zone */
export const wakeQuietOf = (
  client: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<void> => wake(client, 'quiet', { workspaceId, keys: names.map(quietKey) });

/** Ended at the time of the statement, so that a look-up that waited for this transaction sees the end. */
const END = `
update customer_holds set until = date_trunc('milliseconds', clock_timestamp())
  where workspace_id = $1 and name = any($2::text[])
  and (until is null or until > clock_timestamp())`;

/** Ends holds, and wakes the runs that wait for it. @param client of one transaction */
export async function endHolds(
  client: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<void> {
  await client.query(END, [workspaceId, names]);
  await wakeWaiting(client, workspaceId, names);
}

/** Waits for a change that another transaction has not committed yet, which cannot see the wait that was just recorded. */
const FIND = `
select own.until, own.deadlines from (
  select name from (${namesOfCustomer('$1', '$2::text')}) as known(name) group by name order by name
) known cross join lateral (
  select h.until, h.deadlines from customer_holds h
  where h.workspace_id = $1 and h.name = known.name and (h.until is null or h.until > clock_timestamp()) for share
) own`;

/** The end of a customer's hold, null: it has none; undefined: not on hold. Asked after the wait for it was recorded. */
export async function findHoldEnd(
  pool: Pool,
  { workspaceId, recipient }: { workspaceId: string; recipient: string },
): Promise<Date | null | undefined> {
  const { rows } = await pool.query<{ until: Date | null }>({
    name: 'find_hold_end',
    text: FIND,
    values: [workspaceId, recipient],
  });
  if (rows.length === 0) return undefined;
  const ends = rows.map(({ until }) => until?.getTime() ?? Infinity);
  const last = Math.max(...ends);
  return last === Infinity ? null : new Date(last);
}

/**
 * A run that waits for its next attempt does not hold up those behind it. One that looked at the hold and waits again may have two
 * waits for a while: its place is that of the first, or two runs could each be behind the other.
 */
const COUNT_EARLIER = `
with mine as (
  select workspace_id, key, opened_at, id from signal_waits
  where run_id = $1 and task_id = $2 and iteration = $3 and key like '${HOLD_KEYS}%'
  order by opened_at, id limit 1
)
select count(*)::int as count from (
  select from mine
  join signal_waits earlier on earlier.workspace_id = mine.workspace_id and earlier.key = mine.key
    and (earlier.opened_at, earlier.id) < (mine.opened_at, mine.id)
  join task_runs t on t.run_id = earlier.run_id and t.task_id = earlier.task_id and t.iteration = earlier.iteration
  where earlier.key like '${HOLD_KEYS}%'
    and t.status in ('waiting', 'running') and t.state::json ->> 'waiting_for' is distinct from 'retry'
  limit 100
) earlier`;

/** How many runs began to wait for the end of the same hold before this task run, and have not sent yet. */
export async function countEarlier(
  pool: Pool,
  { runId, taskId, iteration }: Pick<TaskContext, 'runId' | 'taskId' | 'iteration'>,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count_earlier_holds',
    text: COUNT_EARLIER,
    values: [runId, taskId, iteration],
  });
  return rows[0]?.count ?? 0;
}

const COUNT = `
select count(distinct run_id)::int as count from signal_waits
where workspace_id = $1 and key = any($2::text[]) and is_open and key like '${HOLD_KEYS}%'`;

/** How many runs wait for the end of a customer's hold. */
export async function countWaiting(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  names: readonly string[],
): Promise<number> {
  const { rows } = await db.$client.query<{ count: number }>(COUNT, [workspaceId, names.map(holdKey)]);
  return rows[0]?.count ?? 0;
}

interface Pause {
  since: number;
  /** Infinity: until it is released. */
  until: number;
}

const PAUSES = `
select own.pauses, case when own.deadlines = 'stand_still' then own.since end as since, own.until
from (
  select name from (${namesOfCustomer('$1', '$2::text')}) as known(name) group by name
) known cross join lateral (
  select * from customer_holds h where h.workspace_id = $1 and h.name = known.name offset 0
) own`;

/** Holds of a customer that suspended deadlines, or suspend them, in milliseconds since 1970. */
export async function listPauses(
  pool: Pool,
  { workspaceId, recipient }: { workspaceId: string; recipient: string },
): Promise<Pause[]> {
  const { rows } = await pool.query<{
    pauses: [since: string, until: string][];
    since: Date | null;
    until: Date | null;
  }>({ name: 'list_pauses', text: PAUSES, values: [workspaceId, recipient] });
  return rows
    .flatMap(({ pauses, since, until }): Pause[] => [
      ...pauses.map((each) => ({ since: Date.parse(each[0]), until: Date.parse(each[1]) })),
      ...(since ? [{ since: since.getTime(), until: until?.getTime() ?? Infinity }] : []),
    ])
    .toSorted((a, b) => a.since - b.since);
}
