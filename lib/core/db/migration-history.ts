// The migration history: which ones this version has, and which ones a database has applied.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Database } from './client.ts';

const journalSchema = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })),
});

export type Journal = z.output<typeof journalSchema>;

/** One migration: `when` is unique and increasing. */
export interface Migration {
  when: number;
  tag: string;
}

/** The journal of a folder of migrations, as drizzle-kit keeps it. */
export const readJournal = (folder: string): Journal =>
  journalSchema.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')));

/** The migrations that this version knows, oldest first. */
export function listMigrations(migrationsFolder: string): Migration[] {
  return readJournal(migrationsFolder).entries.map(({ when, tag }) => ({ when, tag }));
}

/** The `when` of the newest migration that was applied to a database; null: none, or it is not Patchbay's. */
export async function findLastMigration(database: Pick<Database, 'execute'>): Promise<number | null> {
  const { rows: found } = await database.execute<{ known: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as known`,
  );
  if (!found[0]?.known) return null;
  const { rows } = await database.execute<{ last: string | null }>(
    `select max(created_at)::text as last from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.last ? Number(rows[0].last) : null;
}
