// `patchbay rotate-keys`: encrypts every sealed text again under the first key.
import { type Binding, createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool, Queryable } from '#lib/core/db/client.ts';

// Every column with encrypted texts, and the binding of each.
interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /** The binding: the workspace and the record, as SQL, and the purpose. */
  workspace: string;
  purpose: string;
  record: string;
}

const OWN_WORKSPACE = 't.workspace_id::text';
const connection = (column: string, purpose: string): SealedColumn => ({
  table: 'connections',
  column,
  key: ['id'],
  workspace: OWN_WORKSPACE,
  purpose,
  record: 't.id::text',
});

/** All of them; a test looks for columns named `_encrypted` that are missing here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'webhook_tokens',
    column: 'token_encrypted',
    key: ['token_hash'],
    workspace: '(select w.workspace_id::text from workflows w where w.id = t.workflow_id)',
    purpose: 'webhook_token',
    record: 't.workflow_id::text',
  },
  connection('access_token_encrypted', 'access_token'),
  connection('refresh_token_encrypted', 'refresh_token'),
  connection('receiver_token_encrypted', 'receiver_token'),
  {
    ...connection('secrets_encrypted', 'connection_login'),
    table: 'connection_logins',
  },
  {
    table: 'setting_secrets',
    column: 'value_encrypted',
    key: ['workspace_id', 'id'],
    workspace: OWN_WORKSPACE,
    purpose: 'setting_secret',
    record: 't.id',
  },
  {
    table: 'named_secrets',
    column: 'value_encrypted',
    key: ['workspace_id', 'name'],
    workspace: OWN_WORKSPACE,
    purpose: 'named_secret',
    record: 't.name',
  },
  {
    table: 'erasure_keys',
    column: 'key_encrypted',
    key: ['workspace_id'],
    workspace: OWN_WORKSPACE,
    purpose: 'erasure_key',
    record: OWN_WORKSPACE,
  },
  {
    table: 'erasures',
    column: 'subject_encrypted',
    key: ['id'],
    workspace: OWN_WORKSPACE,
    purpose: 'erasure',
    record: 't.id::text',
  },
  {
    table: 'mails',
    column: 'content_encrypted',
    key: ['id'],
    workspace: `'installation'`,
    purpose: 'mail',
    record: 't.id::text',
  },
  {
    table: 'alert_destinations',
    column: 'secret_encrypted',
    key: ['id'],
    workspace: OWN_WORKSPACE,
    purpose: 'alert_webhook',
    record: 't.id::text',
  },
  {
    table: 'two_factor',
    column: 'secret_encrypted',
    key: ['user_id'],
    workspace: `'installation'`,
    purpose: 'two_factor',
    record: 't.user_id::text',
  },
];

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

// Checks whether keys decrypt a database's contents, with one real value of each column and key.

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
