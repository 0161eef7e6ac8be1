import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOlderVersion, readCompatibility } from './compatibility.ts';
import { listMigrations } from './migration-history.ts';
import { findContractingStatements } from './testing/contracting-statements.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'drizzle');
const tags = listMigrations(folder).map(({ tag }) => tag);
/** The first one creates the tables of a release. */
const since = tags.slice(1);

test('a migration that takes something away says in compatibility.json which older version may still run', () => {
  const { oldest_version_that_may_still_run: stated } = readCompatibility(folder);
  const silent = since
    .filter((tag) => stated[tag] === undefined)
    .flatMap((tag) =>
      findContractingStatements(readFileSync(join(folder, `${tag}.sql`), 'utf8')).map(
        (statement) => `${tag}: ${statement}`,
      ),
    );
  expect(silent).toEqual([]);
  expect(Object.keys(stated).filter((tag) => !since.includes(tag))).toEqual([]);
});

test.each([
  ['drop table "a";', 1],
  ['ALTER TABLE "a" DROP COLUMN "b";--> statement-breakpoint\nCREATE TABLE "c" ("id" integer);', 1],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', 1],
  ['ALTER TABLE "a" ADD CONSTRAINT "a_check" CHECK ("b" > 0) NOT VALID;', 1],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', 1],
  ['CREATE UNIQUE INDEX "a_b" ON "a" USING btree ("b");', 1],
  ['ALTER TABLE "a" ADD COLUMN "b" text;\nALTER TABLE "a" ADD COLUMN "c" integer DEFAULT 0 NOT NULL;', 0],
  ['CREATE INDEX "a_b" ON "a" USING btree ("b");', 0],
  [
    'CREATE TABLE "a" ("b" text NOT NULL);\n-- drop table "c";\nALTER TABLE "a" ADD CONSTRAINT "a_b" UNIQUE("b");',
    0,
  ],
])('%s takes %i things from older versions', (sql, count) => {
  expect(findContractingStatements(sql)).toHaveLength(count);
});

test('versions are compared by their numbers', () => {
  expect(isOlderVersion('0.9.0', '0.10.0')).toBe(true);
  expect(isOlderVersion('1.0.0', '1.0.0')).toBe(false);
  expect(isOlderVersion('2.0.0', '1.9.9')).toBe(false);
});
