import type { Pool } from '#lib/core/db/client.ts';

/**
 * How long after each instant the last of the runs that were open then had ended, in milliseconds; 0 without any. Includes
 * delays by later faults.
 */
export async function findStandstills(pool: Pool, instants: readonly { at: number }[]): Promise<number[]> {
  const { rows } = await pool.query<{ ms: number }>(
    `select coalesce((select extract(epoch from max(r.finished_at) - i.at) * 1000 from runs r
       where r.created_at <= i.at and r.finished_at > i.at), 0)::float8 as ms
     from (select n, to_timestamp(ms / 1000.0) as at from unnest($1::float8[]) with ordinality as t(ms, n)) as i
     order by n`,
    [instants.map(({ at }) => at)],
  );
  return rows.map(({ ms }) => Math.round(ms));
}
