import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import type { Product } from './product.ts';
import { untilItWorks } from './until-it-works.ts';

export interface Queries {
  rowsOf: <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** @param sql what follows `from` */
  count: (sql: string, values?: unknown[]) => Promise<number>;
  /** Number of open runs. */
  countOpen: () => Promise<number>;
  /** Number of acknowledged webhooks without a run. */
  countLost: (eventIds: readonly string[]) => Promise<number>;
  /** Number of events with several runs. */
  countDoubled: () => Promise<number>;
}

/** Queries of a database that may still be unavailable: each is retried until it works. */
export function openQueries({ db }: Pick<Product, 'db'>): Queries {
  const rowsOf = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    untilItWorks(async () => (await db.$client.query(sql, values)).rows as Row[]);
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await rowsOf<{ count: number }>(`select count(*)::int as count from ${sql}`, values))[0]?.count ?? 0;
  return {
    rowsOf,
    count,
    countOpen: () => count(`runs where ${isOpenRunSql('status')}`),
    countLost: (eventIds) =>
      count(
        `unnest($1::uuid[]) as a(id) left join events e using (id) left join runs r on r.id = e.run_id where r.id is null`,
        [eventIds],
      ),
    countDoubled: () => count('(select event_id from runs group by 1 having count(*) > 1) as several'),
  };
}
