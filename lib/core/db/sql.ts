import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from './client.ts';

const dialect = new PgDialect();

/** The rows of a statement as the driver returns them: instants are `Date`s, unlike those of `db.execute`. */
export async function queryRows<Row extends object>(
  db: Pick<Database, '$client'>,
  statement: SQL,
): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return (await db.$client.query<Row>(text, params)).rows;
}
