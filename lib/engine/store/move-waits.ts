import type { Queryable } from '#lib/core/db/client.ts';
import type { SignaledRun } from './deliver-signals.ts';

export interface MovedWaits {
  workspaceId: string;
  /** Only keys with this prefix change. */
  prefix: string;
  /** Suffixes of keys, and their replacements. */
  ends: readonly { from: string; to: string }[];
  /** JSON text: the runs get it with the signal that ends their wait. */
  note: string;
}

const OPEN = `
from unnest($3::text[], $4::text[]) as changed(old_end, new_end), signal_waits w
where w.workspace_id = $1 and w.is_open and starts_with(w.key, $2) and right(w.key, length(old_end)) = old_end`;

/**
 * In the order of deliveries: by id. Waits that a checkpoint opens instead of closed ones are found by the next statement.
 */
const LOCK = `select w.id ${OPEN} order by w.id for update of w`;

const MOVE = `
with moved as (
  update signal_waits s set key = left(s.key, -length(m.old_end)) || m.new_end, signals = s.signals || $5::text
  from (select w.id, old_end, new_end ${OPEN}) as m where s.id = m.id and s.is_open
  returning s.run_id
)
select distinct r.id as "runId", r.workflow_id as "workflowId" from runs r
where (r.id in (select run_id from moved)) is true order by r.id`;

/**
 * Moves waits from one key to another, in the sender's transaction: no signal is lost in between. The waits stay open, and no
 * run is woken.
 * @returns the runs whose waits have changed
 */
export async function moveWaits(
  client: Queryable,
  { workspaceId, prefix, ends, note }: MovedWaits,
): Promise<SignaledRun[]> {
  if (ends.length === 0) return [];
  const values = [workspaceId, prefix, ends.map(({ from }) => from), ends.map(({ to }) => to)];
  await client.query({ name: 'lock_moved_waits', text: LOCK, values });
  const { rows } = await client.query<SignaledRun>({
    name: 'move_waits',
    text: MOVE,
    values: [...values, note],
  });
  return rows;
}
