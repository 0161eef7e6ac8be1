// `patchbay rotate-keys`: encrypts every sealed text again under the first key.
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

const BATCH = 200;

export interface RotatedColumn {
  /** `table.column` */
  column: string;
  rotated: number;
}

/**
 * Encrypts everything again that is not under the first key, a batch per transaction: it may be interrupted, repeated, and
 * run while Patchbay does.
 * @throws Error when something is encrypted under an unknown key
 */
export async function rotateStoredSecrets(
  pool: Pool,
  secrets: SecretBox,
  say: (column: RotatedColumn) => void = () => undefined,
): Promise<RotatedColumn[]> {
  const results: RotatedColumn[] = [];
  for (const sealed of SEALED_COLUMNS) {
    let rotated = 0;
    for (let count = BATCH; count === BATCH; rotated += count)
      count = await rotateBatch(pool, secrets, sealed);
    const result = { column: `${sealed.table}.${sealed.column}`, rotated };
    say(result);
    results.push(result);
  }
  return results;
}

interface Row {
  sealed: string;
  workspace: string;
  record: string;
}

async function rotateBatch(
  pool: Pool,
  secrets: SecretBox,
  { table, column, key, workspace, purpose, record }: SealedColumn,
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<Row & Record<string, unknown>>(
      `select ${key.map((name) => `t.${name} as key_${name}`).join(', ')},
        t.${column} as sealed, ${workspace} as workspace, ${record} as record
      from ${table} t
      where t.${column} is not null and t.${column} <> '' and not starts_with(t.${column}, $1)
      limit ${BATCH} for update of t`,
      [secrets.currentPrefix],
    );
    for (const row of rows) {
      const rotated = secrets.rotate(row.sealed, [row.workspace, purpose, row.record]);
      await client.query(
        `update ${table} set ${column} = $1 where ${key.map((name, index) => `${name} = $${index + 2}`).join(' and ')}`,
        [rotated, ...key.map((name) => row[`key_${name}`])],
      );
    }
    await client.query('commit');
    return rows.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
