import type { Role } from '#lib/identity/roles/roles.ts';
import type { ApiKey } from './schema.ts';
import { highestScopeOf, type KeyScope, lowerScope } from './scopes.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  scope: KeyScope;
  createdAt: Date;
  createdBy: string | null;
  makerEmail: string | null;
  /** Null: the creator is no longer a member, or there is none. */
  makerRole: Role | null;
  expiresAt: Date | null;
  hasExpired: boolean | null;
  lastUsedAt: Date | null;
}

/** A key as lists show it. */
export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scope: row.scope,
  effective_scope: effectiveScope(row),
  created_at: row.createdAt.toISOString(),
  created_by: row.makerEmail,
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

function effectiveScope({ scope, createdBy, makerRole, hasExpired }: ApiKeyRow): KeyScope | null {
  if (hasExpired) return null;
  if (createdBy === null) return scope;
  return makerRole && lowerScope(scope, highestScopeOf(makerRole));
}
