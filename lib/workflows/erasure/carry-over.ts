// Erasures outlive the database: a file of hashes, with which a restored backup finds the customers again (docs/decisions/erasure.md).
import * as z from 'zod';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { hashName, openErasureKey } from '#lib/messaging/customers/erased-names.ts';
import { cancelWaiting } from './own-rows.ts';
import { readWords, sealSubject } from './erase-customer.ts';

const instant = z.iso.datetime();

export const erasureFileSchema = z.strictObject({
  format: z.literal(1),
  /** Of each workspace, sealed with the keys of the installation. */
  keys: z.array(z.strictObject({ workspace_id: z.uuid(), key_encrypted: z.string() })),
  erasures: z.array(
    z.strictObject({
      id: z.uuid(),
      workspace_id: z.uuid(),
      requested_at: instant,
      actor_id: z.string(),
      actor_name: z.string(),
    }),
  ),
  names: z.array(
    z.strictObject({
      workspace_id: z.uuid(),
      /** Base64. */
      name_hash: z.base64(),
      erasure_id: z.uuid(),
      erased_at: instant,
      stopped: z.enum(['marketing', 'all']).nullable(),
    }),
  ),
});

export type ErasureFile = z.infer<typeof erasureFileSchema>;

const AT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const EXPORT = `
select
  (select coalesce(json_agg(k), '[]') from (select workspace_id, key_encrypted from erasure_keys order by 1) k) as keys,
  (select coalesce(json_agg(e), '[]') from (
    select id, workspace_id, to_char(requested_at at time zone 'UTC', ${AT}) as requested_at, actor_id, actor_name from erasures order by id
  ) e) as erasures,
  (select coalesce(json_agg(n), '[]') from (
    select workspace_id, encode(name_hash, 'base64') as name_hash, erasure_id,
      to_char(erased_at at time zone 'UTC', ${AT}) as erased_at, stopped
    from erased_names order by workspace_id, name_hash
  ) n) as names`;

/** All erasures of the installation, for a restore. */
export async function exportErasures(client: Queryable): Promise<ErasureFile> {
  const { rows } = await client.query<Omit<ErasureFile, 'format'>>(EXPORT);
  return erasureFileSchema.parse({ format: 1, ...rows[0] });
}

const IMPORT = [
  `insert into erasure_keys (workspace_id, key_encrypted)
   select k.workspace_id, k.key_encrypted from json_to_recordset($1::json->'keys') k(workspace_id uuid, key_encrypted text)
   join workspaces w on w.id = k.workspace_id order by 1 on conflict do nothing`,
  `insert into erased_names as known (workspace_id, name_hash, erasure_id, erased_at, stopped)
   select n.workspace_id, decode(n.name_hash, 'base64'), n.erasure_id, n.erased_at, n.stopped
   from json_to_recordset($1::json->'names') n(workspace_id uuid, name_hash text, erasure_id uuid, erased_at timestamptz, stopped text)
   join workspaces w on w.id = n.workspace_id order by 1, 2
   on conflict (workspace_id, name_hash) do update
     set erasure_id = excluded.erasure_id, erased_at = excluded.erased_at, stopped = excluded.stopped
     where known.erased_at < excluded.erased_at`,
];

/** Without the names: a worker finds them by the hashes. */
const REPEAT = `
insert into erasures (id, workspace_id, requested_at, actor_id, actor_name, counts)
select e.id, e.workspace_id, e.requested_at, e.actor_id, e.actor_name, '{}'
from json_to_recordset($1::json->'erasures') e(id uuid, workspace_id uuid, requested_at timestamptz, actor_id text, actor_name text)
join workspaces w on w.id = e.workspace_id order by 1 on conflict (id) do nothing`;

/** Stores erasures that this database, which is older, does not have: a worker repeats them. @returns their number */
export async function importErasures(client: Queryable, file: ErasureFile): Promise<number> {
  const values = [JSON.stringify(file)];
  for (const statement of IMPORT) await client.query(statement, values);
  return (await client.query(REPEAT, values)).rowCount ?? 0;
}

interface Repeated {
  id: string;
  workspaceId: string;
  key: string;
}

const WITHOUT_NAMES = `
select e.id, e.workspace_id as "workspaceId", k.key_encrypted as key from erasures e
join erasure_keys k on k.workspace_id = e.workspace_id where e.finished_at is null and e.subject_encrypted is null order by e.id`;
const HASHES = 'select name_hash from erased_names where workspace_id = $1 and erasure_id = $2';
const NAMES_AT_ONCE = 5000;
const NAMES = `
select name from (
  select name from customer_names where workspace_id = $1 and name > $2
  union select recipient from sent_messages where workspace_id = $1 and recipient > $2
  union select customer from received_messages where workspace_id = $1 and customer > $2
  union select customer from conversation_windows where workspace_id = $1 and customer > $2
  union select name from customer_consents where workspace_id = $1 and name > $2
  union select name from consent_changes where workspace_id = $1 and name > $2
  union select name from customer_holds where workspace_id = $1 and name > $2
  union select name from attribute_changes where workspace_id = $1 and name > $2
  union select customer from consent_confirmations where workspace_id = $1 and customer > $2
  union select name from marketing_places where workspace_id = $1 and name > $2
) found order by name limit ${NAMES_AT_ONCE}`;

/** Finds the customers of erasures that a restore repeats; one whose customer is not stored has finished. */
export async function findErasedAgain(db: Database, secrets: SecretBox): Promise<void> {
  const pool = db.$client;
  const { rows } = await pool.query<Repeated>(WITHOUT_NAMES);
  for (const erasure of rows) {
    const { id, workspaceId } = erasure;
    const names = await findNames(pool, secrets, erasure);
    if (names.length === 0) {
      await pool.query('update erasures set finished_at = now() where id = $1', [id]);
      continue;
    }
    const words = await readWords({ db, workspaceId }, names);
    await db.transaction((tx) => cancelWaiting(tx, { workspaceId, names }));
    const subject = sealSubject(secrets, { workspaceId, id }, { names, words });
    await inTransaction(pool, (client) =>
      client.query('update erasures set subject_encrypted = $2 where id = $1 and subject_encrypted is null', [
        id,
        subject,
      ]),
    );
  }
}

async function findNames(
  pool: Pool,
  secrets: SecretBox,
  { id, workspaceId, key: sealed }: Repeated,
): Promise<string[]> {
  const key = openErasureKey(secrets, workspaceId, sealed);
  const { rows } = await pool.query<{ name_hash: Buffer }>(HASHES, [workspaceId, id]);
  const hashes = new Set(rows.map((row) => row.name_hash.toString('base64')));
  const found: string[] = [];
  for (let after = ''; ;) {
    const page = await pool.query<{ name: string }>(NAMES, [workspaceId, after]);
    for (const { name } of page.rows)
      if (hashes.has(hashName(key, name).toString('base64'))) found.push(name);
    const last = page.rows.at(-1);
    if (!last || page.rows.length < NAMES_AT_ONCE) return found;
    after = last.name;
  }
}
