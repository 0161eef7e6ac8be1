// Checks whether keys decrypt a database's contents, with one real value of each column and key.
import { type Binding, createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Queryable } from '#lib/core/db/client.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

export interface SealedSample {
  /** `table.column` */
  column: string;
  sealed: string;
  binding: Binding;
}

/** Leaves out columns that the database of an earlier version does not have yet. */
const PRESENT = `
select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`;

/** An encrypted text of each column and each key. @param client possibly of a transaction */
export async function listSealedSamples(client: Queryable): Promise<SealedSample[]> {
  const { rows: found } = await client.query<{ name: string }>(PRESENT);
  const present = new Set(found.map(({ name }) => name));
  const samples: SealedSample[] = [];
  for (const { table, column, workspace, purpose, record } of SEALED_COLUMNS) {
    const name = `${table}.${column}`;
    if (!present.has(name)) continue;
    const { rows } = await client.query<{ sealed: string; workspace: string; record: string }>(
      `select distinct on (split_part(t.${column}, '.', 2))
        t.${column} as sealed, ${workspace} as workspace, ${record} as record
      from ${table} t where t.${column} is not null and t.${column} <> ''`,
    );
    for (const { sealed, workspace: owner, record: of } of rows)
      samples.push({ column: name, sealed, binding: [owner, purpose, of] });
  }
  return samples;
}

/**
 * Describes which samples cannot be decrypted; null when all can.
 * @param keys `ENCRYPTION_KEYS`; undefined: there are none
 */
export function findUnopened(samples: readonly SealedSample[], keys: string | undefined): string | null {
  if (samples.length === 0) return null;
  if (!keys) return `There are no encryption keys here, and ${listColumns(samples)} is encrypted`;
  const reasons = new Map<SealedSample, string>();
  for (const sample of samples)
    try {
      createSecretBox(keys).open(sample.sealed, sample.binding);
    } catch (error) {
      reasons.set(sample, (error as Error).message);
    }
  const [[, reason] = []] = reasons;
  return reason === undefined
    ? null
    : `The encryption keys do not open ${listColumns([...reasons.keys()])}: ${reason}`;
}

const listColumns = (samples: readonly SealedSample[]): string =>
  [...new Set(samples.map(({ column }) => column))].join(', ');
