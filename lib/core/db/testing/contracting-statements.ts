// For tests: statements of migrations that remove something older versions use. Such a statement is allowed one release after
// the last version that uses it, and drizzle/compatibility.json has to name that version (docs/operations.md, "Upgrades").

const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?"?([\w.]+)"?/i;
const ALTERED = /^ALTER TABLE (?:ONLY )?"?([\w.]+)"?/i;
const TAKES_FROM_TABLE =
  /\b(?:DROP|RENAME|SET NOT NULL|SET DATA TYPE|ALTER COLUMN \S+ TYPE|ADD CONSTRAINT)\b/i;
const NEEDED_COLUMN = /\bADD COLUMN\b.*\bNOT NULL\b/is;
const UNIQUE_INDEX = /^CREATE UNIQUE INDEX .*? ON "?([\w.]+)"?/is;
const TAKES = /^(?:DROP|TRUNCATE|ALTER (?:TYPE|VIEW|FUNCTION))\b/i;

/** The statements of a migration that affect older versions. @param sql as drizzle-kit writes it */
export function findContractingStatements(sql: string): string[] {
  const statements = sql
    .split('--> statement-breakpoint')
    .flatMap((part) => part.replace(/^\s*--.*$/gm, '').split(/;\s*(?:\n|$)/))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const created = new Set(statements.flatMap((statement) => CREATED.exec(statement)?.[1] ?? []));
  const isOld = (table: string | undefined): boolean => table !== undefined && !created.has(table);
  return statements.filter(
    (statement) =>
      TAKES.test(statement) ||
      isOld(UNIQUE_INDEX.exec(statement)?.[1]) ||
      (isOld(ALTERED.exec(statement)?.[1]) &&
        (TAKES_FROM_TABLE.test(statement) ||
          (NEEDED_COLUMN.test(statement) && !/\bDEFAULT\b|\bGENERATED\b/i.test(statement)))),
  );
}
