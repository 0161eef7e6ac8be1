// Names of customers whose data was erased: hashes with a key of the workspace, which is sealed (docs/decisions/erasure.md).
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/core/db/client.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { ConsentPurpose } from '#lib/messaging/schema/consent-types.ts';

const KEY_BYTES = 32;
const binding = (workspaceId: string) => [workspaceId, 'erasure_key', workspaceId] as const;

/** Opening a key costs more than the hash; by the sealed text, so that one that was sealed again is opened again. */
const opened = new LRUCache<string, Buffer>({ max: 1000 });

/** The key of a workspace's hashes. @param sealed as it is stored */
export function openErasureKey(secrets: SecretBox, workspaceId: string, sealed: string): Buffer {
  const cacheKey = `${workspaceId} ${sealed}`;
  const known = opened.get(cacheKey);
  if (known) return known;
  const key = Buffer.from(secrets.open(sealed, binding(workspaceId)), 'base64');
  opened.set(cacheKey, key);
  return key;
}

/** The key of a workspace's hashes, which is made if there is none. @param tx the transaction that needs it */
export async function ensureErasureKey(
  tx: Transaction,
  secrets: SecretBox,
  workspaceId: string,
): Promise<Buffer> {
  const sealed = secrets.seal(randomBytes(KEY_BYTES).toString('base64'), binding(workspaceId));
  const { rows } = await tx.execute<{ key: string }>(
    sql`insert into erasure_keys as known (workspace_id, key_encrypted) values (${workspaceId}, ${sealed})
      on conflict (workspace_id) do update set key_encrypted = known.key_encrypted returning key_encrypted as key`,
  );
  return openErasureKey(secrets, workspaceId, rows[0]?.key ?? sealed);
}

/** The hash under which an erased name is stored. */
export const hashName = (key: Buffer, name: string): Buffer =>
  createHmac('sha256', key).update(name, 'utf8').digest();

/** What is known of erased names. */
export interface ErasedName {
  /** The widest purpose that the customer had stopped when they were erased, unless they consented since; null: none. */
  stopped: ConsentPurpose | null;
  /** The latest erasure: runs that began before it do not send. */
  erasedAt: Date;
}

interface AskedNames {
  workspaceId: string;
  /** All known names of one customer. */
  names: readonly string[];
  key: Buffer;
}

/** Consent that was given later counts more than a stop that was erased. */
const FIND = `
select asked.place, e.erased_at, e.stopped, e.stopped is not null and not exists (
    select from customer_consents c where c.workspace_id = asked.workspace_id and c.name = asked.name and c.state = 'given'
      and c.purpose in (e.stopped, 'all') and c.since > e.erased_at
  ) as is_stop
from unnest($1::int[], $2::uuid[], $3::text[], $4::bytea[]) as asked(place, workspace_id, name, name_hash)
join erased_names e on e.workspace_id = asked.workspace_id and e.name_hash = asked.name_hash`;

/** What is known of erased customers with these names; undefined: none was erased. */
export async function findErasedNames(
  client: Queryable,
  asked: readonly AskedNames[],
): Promise<(ErasedName | undefined)[]> {
  const all = asked.flatMap(({ workspaceId, names, key }, place) =>
    names.map((name) => ({ place, workspaceId, name, hash: hashName(key, name) })),
  );
  if (all.length === 0) return asked.map(() => undefined);
  const { rows } = await client.query<{
    place: number;
    erased_at: Date;
    stopped: ConsentPurpose | null;
    is_stop: boolean;
  }>({
    name: 'find_erased_names',
    text: FIND,
    values: [
      all.map(({ place }) => place),
      all.map(({ workspaceId }) => workspaceId),
      all.map(({ name }) => name),
      all.map(({ hash }) => hash),
    ],
  });
  return asked.map((_, place) => {
    const own = rows.filter((row) => row.place === place);
    if (own.length === 0) return undefined;
    const stops = own.filter((row) => row.is_stop).map(({ stopped }) => stopped);
    return {
      stopped: stops.includes('all') ? 'all' : stops.includes('marketing') ? 'marketing' : null,
      erasedAt: new Date(Math.max(...own.map((row) => row.erased_at.getTime()))),
    };
  });
}

/** A stop from before a customer's data was erased, which still counts; null: none. @param names all known names of the customer */
export async function findKeptStop(
  { db, workspaceId, secrets }: Pick<Context, 'db' | 'workspaceId' | 'secrets'>,
  names: readonly string[],
): Promise<{ purpose: ConsentPurpose; erasedAt: Date } | null> {
  const { rows } = await db.$client.query<{ key: string }>(
    'select key_encrypted as key from erasure_keys where workspace_id = $1',
    [workspaceId],
  );
  const [row] = rows;
  if (!row) return null;
  const key = openErasureKey(secrets, workspaceId, row.key);
  const [erased] = await findErasedNames(db.$client, [{ workspaceId, names, key }]);
  return erased?.stopped ? { purpose: erased.stopped, erasedAt: erased.erasedAt } : null;
}

/**
 * The key of `received_changes` that says that a message was erased: what the platform still reports of it is ignored. A plain hash,
 * because the platform's ids are random.
 */
export const markOfMessage = (messageId: string): string =>
  `erased:${createHash('sha256').update(messageId).digest('base64url')}`;
