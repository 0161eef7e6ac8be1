import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { isLoopbackHost, listenHosts } from '#lib/core/http/listen-hosts.ts';
import { newId } from '#lib/core/ids.ts';
import { COMMAND_LINE, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { useInvitation } from '#lib/identity/members/invitations.ts';
import type { NewAccount } from '#lib/identity/members/schema.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { assertPasswordsAreOn } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { startInZone } from '#lib/identity/workspaces/workspace-time.ts';
import { hashPassword } from './password.ts';

const FIRST_OWNER_LOCK = 7_267_003;

/** Whether there are no accounts yet: then the first visitor creates the owner's. */
export async function isFirstStart(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ first: boolean }>(
    sql`select not exists (select from ${memberships}) as first`,
  );
  return rows[0]?.first ?? false;
}

/** The error for a second attempt to create the first account. */
export const hasOwner = (): AppError =>
  new AppError('conflict', 'This installation already has an owner. Sign in, or ask for an invitation.');

/**
 * Creates the owner's account of an installation, once.
 * @param account `zone`: the browser's time zone, for the first workspace
 * @throws AppError `conflict` when another owner was created first
 */
export async function createFirstOwner(
  db: Database,
  { email, password, zone = '' }: NewAccount & { zone?: string | undefined },
): Promise<{ id: string }> {
  const passwordHash = await hashPassword(password);
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    if (!(await claimFirstStart(tx))) throw hasOwner();
    const id = await insertUser(tx, { email, passwordHash });
    await joinAsOwner(tx, workspaceId, id);
    await startInZone(tx, { workspaceId, zone });
    return { id };
  });
}

/**
 * Creates an account and accepts the invitation, both or neither. Only a mailed link proves that the address is theirs.
 * @throws AppError `not_found`, `conflict`; `forbidden` where the identity provider is required: the password could not be
 *   used
 */
export async function createInvitedAccount(
  db: Database,
  { email, password, token }: NewAccount & { token: string },
): Promise<{ id: string; workspaceId: string }> {
  await assertPasswordsAreOn(db);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const id = await insertUser(tx, { email, passwordHash, isAddressUnproven: true });
    return { id, workspaceId: await useInvitation(tx, token, id) };
  });
}

/** True when there are no members anywhere; locks until the transaction ends, so that only one gets true. */
export async function claimFirstStart(tx: Transaction): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`);
  const { rows } = await tx.execute(sql`select from ${memberships} limit 1`);
  return rows.length === 0;
}

/** Makes a user the owner of the first workspace. */
export async function joinAsOwner(tx: Transaction, workspaceId: string, userId: string): Promise<void> {
  await tx.insert(memberships).values({ workspaceId, userId, role: 'owner' });
  await recordAudit({ workspaceId, actor: userId }, tx, 'workspace.claimed', { id: workspaceId });
}

interface NewUser {
  email: string;
  passwordHash: string;
  isAddressUnproven?: boolean;
}

/** @throws AppError `conflict` when the address is taken */
async function insertUser(
  tx: Transaction,
  { email, passwordHash, isAddressUnproven = false }: NewUser,
): Promise<string> {
  const id = newId();
  const made = await tx
    .insert(users)
    .values({ id, email, passwordHash, isAddressUnproven })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (made.length > 0) return id;
  throw new AppError(
    'conflict',
    'No account can be created with this address. If you have one, sign in first.',
    {
      problems: [{ path: 'email', message: 'If this is your address, sign in to join.' }],
    },
  );
}

/**
 * Makes a user an owner of the first workspace: for an administrator of the machine, when no owner can sign in any more.
 * @param account the password is for a new account; an existing one keeps its own
 */
export async function addOwner(db: Database, { email, password }: NewAccount): Promise<{ isNew: boolean }> {
  const passwordHash = await hashPassword(password);
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    const id = known?.id ?? (await insertUser(tx, { email, passwordHash }));
    await tx
      .insert(memberships)
      .values({ workspaceId, userId: id, role: 'owner' })
      .onConflictDoUpdate({ target: [memberships.workspaceId, memberships.userId], set: { role: 'owner' } });
    await recordAudit({ workspaceId, actor: COMMAND_LINE }, tx, 'owner.added', { id, name: email });
    return { isNew: known === undefined };
  });
}

// The creator of the first account owns the installation. Where it is reachable from other machines, that requires a code
// that is printed at the start (docs/decisions/first-start.md).

const CODE_BYTES = 10;

/**
 * The installation's code, such as `1f3a-90bc-…` (80 bits). All processes derive the same one from AUTH_SECRET; it is useless
 * once there is an owner.
 */
export function setupCodeOf(authSecret: string): string {
  const hex = createHmac('sha256', authSecret).update('setup-code').digest('hex');
  return (hex.slice(0, CODE_BYTES * 2).match(/.{4}/g) ?? []).join('-');
}

/**
 * Whether the first account needs the code: unless Patchbay listens on loopback only, for this machine only, and the
 * request's host is loopback (which a website cannot achieve by DNS rebinding).
 * @param requestHost the request's `Host`, with or without a port; left out: any
 */
export function needsSetupCode(
  { HOST, BASE_URL, TRUST_PROXY }: Pick<Settings, 'HOST' | 'BASE_URL' | 'TRUST_PROXY'>,
  requestHost?: string | null,
): boolean {
  if (TRUST_PROXY !== 'off') return true;
  const hosts = [...listenHosts(HOST), new URL(BASE_URL).hostname];
  if (requestHost !== undefined) hosts.push((requestHost ?? '').replace(/:\d+$/, ''));
  return !hosts.every(isLoopbackHost);
}

/** @throws AppError `invalid_request` with the problem at `setupCode` */
export function assertSetupCode(authSecret: string, given: string): void {
  const toDigits = (code: string): string => code.toLowerCase().replace(/[^0-9a-f]/g, '');
  if (isSameSecret(toDigits(given), toDigits(setupCodeOf(authSecret)))) return;
  const message =
    'Enter the setup code that Patchbay printed when it started. Restart it to see the code again.';
  throw new AppError('invalid_request', message, { problems: [{ path: 'setupCode', message }] });
}
