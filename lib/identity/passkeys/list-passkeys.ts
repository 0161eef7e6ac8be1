import { asc, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { passkeys } from '#lib/identity/schema/passkeys.ts';

export interface Passkey {
  id: string;
  name: string;
  /** The host that it works for. */
  rpId: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; null: never used. */
  lastUsedAt: string | null;
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return rows.map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
    id,
    name,
    rpId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Whether any account has a passkey: otherwise the sign-in page does not offer one. */
export async function hasAnyPasskey(db: Database): Promise<boolean> {
  return (await db.select({ id: passkeys.id }).from(passkeys).limit(1)).length > 0;
}
