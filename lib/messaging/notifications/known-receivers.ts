// Which connections a notification is for: by the token of its URL, or by the accounts that it names.
import { LRUCache } from 'lru-cache';
import { hashToken } from '#lib/core/crypto/token.ts';
import { perPool, type Pool } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';
import type { ChangeOwner } from './notification-types.ts';

const MAX_CACHED = 20_000;
const CACHE_MS = 30_000;

export interface KnownReceivers {
  /** The connection whose receiver has the token; undefined: none has. */
  find(token: string): Promise<ChangeOwner | undefined>;
  /** Makes the next `find` query the token again. */
  forget(token: string): void;
  /** The connections that have a business account, in the order of their ids. */
  findOwners(businessAccountId: string): Promise<ChangeOwner[]>;
}

const BY_TOKEN = {
  name: 'find_receivers',
  text: 'select receiver_token_hash as token_hash, workspace_id, id from connections where receiver_token_hash = any($1::bytea[])',
};
const BY_ACCOUNT = {
  name: 'find_connections_of_accounts',
  text: 'select business_account_id, workspace_id, id from connections where business_account_id = any($1::text[]) order by id',
};

interface OwnerRow {
  workspace_id: string;
  id: string;
}

/**
 * The receivers of a database, as this process knows them. One that was found is cached for half a minute: what stores its
 * notifications checks it again, so that one that was removed is unknown to the next request. An unknown one is never cached.
 */
export const receiversOf = perPool(createReceivers);

function createReceivers(pool: Pool): KnownReceivers {
  const cache = new LRUCache<string, { owner: ChangeOwner; staleAt: number }>({ max: MAX_CACHED });
  const options = { maxBatch: 200, maxWeight: Infinity, weigh: () => 1, lanes: 2 };
  const tokens = new GroupCommit<Buffer, ChangeOwner | undefined>(
    (hashes) => findByToken(pool, hashes),
    options,
  );
  const accounts = new GroupCommit<string, ChangeOwner[]>((ids) => findByAccount(pool, ids), options);
  return {
    async find(token) {
      const cached = cache.get(token);
      if (cached && cached.staleAt > Date.now()) return cached.owner;
      const owner = await tokens.add(hashToken(token));
      if (owner) cache.set(token, { owner, staleAt: Date.now() + CACHE_MS });
      else cache.delete(token);
      return owner;
    },
    forget: (token) => void cache.delete(token),
    findOwners: (businessAccountId) => accounts.add(businessAccountId),
  };
}

async function findByToken(pool: Pool, hashes: Buffer[]): Promise<(ChangeOwner | undefined)[]> {
  const { rows } = await pool.query<OwnerRow & { token_hash: Buffer }>({ ...BY_TOKEN, values: [hashes] });
  const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), toOwner(row)]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

async function findByAccount(pool: Pool, ids: string[]): Promise<ChangeOwner[][]> {
  const { rows } = await pool.query<OwnerRow & { business_account_id: string }>({
    ...BY_ACCOUNT,
    values: [[...new Set(ids)]],
  });
  const found = Map.groupBy(rows, (row) => row.business_account_id);
  return ids.map((id) => (found.get(id) ?? []).map(toOwner));
}

const toOwner = ({ workspace_id: workspaceId, id: connectionId }: OwnerRow): ChangeOwner => ({
  workspaceId,
  connectionId,
});
