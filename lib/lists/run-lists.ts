// The recurring job of lists, one for all workers.
import { about } from '#lib/core/log-fields.ts';
import { checkRows } from './check-rows.ts';
import type { ListState } from './schema.ts';
import type { ListRuntime } from './sender.ts';
import { startRows } from './start-rows.ts';

const AT_ONCE = 20;
/** A list whose step failed delays no other one. */
const RETRY_SECONDS = 5;

/**
 * Takes one step of each list that is due: it checks rows, or starts runs.
 * @returns milliseconds until the next one is due; undefined: none is in progress
 */
export async function runLists(runtime: ListRuntime): Promise<number | undefined> {
  const { hot, logger } = runtime;
  const { rows: due } = await hot.query<{ id: string; state: ListState }>({
    name: 'list_due_lists',
    text: `select id, state from send_lists where work_at <= now() order by work_at limit ${AT_ONCE}`,
  });
  for (const { id, state } of due) {
    try {
      await (state === 'checking' ? checkRows(runtime, id) : startRows(runtime, id));
    } catch (error) {
      logger.error({ err: error, ...about({ listId: id }) }, 'a step of a list failed');
      await hot.query(
        `update send_lists set work_at = now() + interval '${RETRY_SECONDS} seconds' where id = $1`,
        [id],
      );
    }
  }
  const { rows } = await hot.query<{ in_ms: number | null }>({
    name: 'next_list',
    text: `select extract(epoch from min(work_at) - clock_timestamp())::float8 * 1000 as in_ms from send_lists where work_at is not null`,
  });
  return rows[0]?.in_ms ?? undefined;
}
