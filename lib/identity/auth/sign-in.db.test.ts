import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { signInLimits, userSessions, users } from '#lib/identity/schema/accounts.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { changePassword } from './password-reset.ts';
import { createFirstOwner } from './create-account.ts';
import { listMemberships } from './list-memberships.ts';
import { type Attempt, countAttempt } from './sign-in-attempts.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { signInWithPassword } from './sign-in-with-password.ts';
import { endSession, findSessionUser, startSession } from './user-sessions.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'owner@example.com';
const ISSUER = 'https://identity.example';

let database: TestDatabase;
let db: Database;
let ownerId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ownerId = (await createFirstOwner(db, { email: EMAIL, password: PASSWORD })).id;
  await makePasswordQuick(db.$client, { email: EMAIL, password: PASSWORD });
});

afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const signIn = (email: string, password: string, address = '192.0.2.1') =>
  signInWithPassword(db, { email, password, address });

test('unknown addresses and wrong passwords get one and the same answer', async () => {
  const [unknown, wrong] = await Promise.allSettled([
    signIn('nobody@example.com', PASSWORD),
    signIn(EMAIL, 'wrong'),
  ]);
  expect(unknown).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
  expect(wrong.status === 'rejected' && unknown.status === 'rejected' && String(wrong.reason)).toBe(
    String((unknown as PromiseRejectedResult).reason),
  );
  await expect(signIn(EMAIL, PASSWORD)).resolves.toEqual({ id: ownerId, email: EMAIL });
});

const failures = async (count: number, attempt: Attempt) => {
  for (let index = 0; index < count; index += 1) await countAttempt(db, attempt);
};
const rateLimited = { code: 'rate_limited' };
/** Moves all pauses into the past by this time. */
const letTimePass = (seconds: number) =>
  db
    .update(signInLimits)
    .set({ expire: sql`${signInLimits.expire} - ${seconds * 1000}::bigint` })
    .where(like(signInLimits.key, 'pause:%'));

test('after five failures each pause is twice as long as the one before; other places do not wait', async () => {
  const attempt = { email: EMAIL, address: '192.0.2.2' };
  await failures(6, attempt);
  for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    await expect(countAttempt(db, attempt)).rejects.toMatchObject({
      ...rateLimited,
      retryAfterSeconds: seconds,
    });
    await letTimePass(seconds);
    await countAttempt(db, attempt);
  }
  await expect(signIn(EMAIL, PASSWORD, attempt.address)).rejects.toMatchObject(rateLimited);
  await expect(signIn(EMAIL, PASSWORD, '192.0.2.3')).resolves.toBeDefined();
});

test('attempts that are refused are not counted and make nobody wait longer', async () => {
  const attempt = { email: EMAIL, address: '192.0.2.20' };
  await failures(6, attempt);
  await Promise.allSettled(Array.from({ length: 50 }, () => countAttempt(db, attempt)));
  await letTimePass(2);
  await expect(signIn(EMAIL, PASSWORD, attempt.address)).resolves.toBeDefined();
});

test('of many attempts at once no more are let through than one after the other', async () => {
  const attempt = { email: 'burst@example.com', address: '192.0.2.21' };
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => countAttempt(db, attempt)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
});

test('a known browser is not slowed down by others at its address', async () => {
  const address = '192.0.2.22';
  await failures(6, { email: EMAIL, address });
  const attempt = { email: EMAIL, password: PASSWORD, address };
  await expect(signInWithPassword(db, attempt)).rejects.toMatchObject(rateLimited);
  await expect(signInWithPassword(db, { ...attempt, browserId: 'known' })).resolves.toBeDefined();
});

test('an address is slowed down for one account only; the addresses of one IPv6 customer are one', async () => {
  for (let index = 0; index < 120; index += 1)
    await countAttempt(db, { email: `user${index}@example.com`, address: '192.0.2.4' });
  await expect(signIn(EMAIL, PASSWORD, '192.0.2.4')).resolves.toBeDefined();
  for (let index = 0; index < 6; index += 1)
    await countAttempt(db, { email: EMAIL, address: `2001:db8:1:2::${index}` });
  await expect(signIn(EMAIL, PASSWORD, '2001:db8:1:2:ffff::1')).rejects.toMatchObject(rateLimited);
  await expect(signIn(EMAIL, PASSWORD, '2001:db8:1:3::1')).resolves.toBeDefined();
});

test('what was typed into the field for the address is not kept', async () => {
  await countAttempt(db, { email: 'a-password-by-mistake', address: '192.0.2.5' });
  const rows = await db.select().from(signInLimits);
  expect(JSON.stringify(rows)).not.toContain('a-password-by-mistake');
});

test('a session ends at once when it is ended, and by itself at its time', async () => {
  const [first, second] = [
    await startSession(db, ownerId, { signedInBy: 'password' }),
    await startSession(db, ownerId, { signedInBy: 'password' }),
  ];
  expect(await findSessionUser(db, first)).toMatchObject({ id: ownerId, email: EMAIL, hasPassword: true });
  await endSession(db, first);
  expect(await findSessionUser(db, first)).toBeNull();
  await db
    .update(userSessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(userSessions.id, second));
  expect(await findSessionUser(db, second)).toBeNull();
  expect(await findSessionUser(db, 'not an id')).toBeNull();
});

test('a new password needs the current one and ends all other sessions', async () => {
  const [here, there] = [
    await startSession(db, ownerId, { signedInBy: 'password' }),
    await startSession(db, ownerId, { signedInBy: 'password' }),
  ];
  const [workspace] = await listMemberships(db, ownerId);
  const ctx = { db, workspaceId: workspace?.id ?? '', actor: ownerId };
  const change = { userId: ownerId, sessionId: here, newPassword: 'another long password' };
  await expect(changePassword(ctx, { ...change, currentPassword: 'wrong' })).rejects.toMatchObject({
    problems: [{ path: 'currentPassword' }],
  });
  const changes = await Promise.allSettled(
    [1, 2].map(() => changePassword(ctx, { ...change, currentPassword: PASSWORD })),
  );
  expect(changes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(changes).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: 'conflict' }) as unknown }),
  );
  expect(await findSessionUser(db, here)).not.toBeNull();
  expect(await findSessionUser(db, there)).toBeNull();
  await expect(signIn(EMAIL, PASSWORD, '192.0.2.6')).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(signIn(EMAIL, 'another long password', '192.0.2.6')).resolves.toBeDefined();
});

test('whoever found a browser open does not guess the password in the settings', async () => {
  const [workspace] = await listMemberships(db, ownerId);
  const ctx = { db, workspaceId: workspace?.id ?? '', actor: ownerId };
  const sessionId = await startSession(db, ownerId, { signedInBy: 'password' });
  const guess = () =>
    changePassword(ctx, { userId: ownerId, sessionId, currentPassword: 'wrong', newPassword: PASSWORD });
  for (let count = 0; count < 6; count += 1)
    await expect(guess()).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(guess()).rejects.toMatchObject(rateLimited);
  await expect(signIn(EMAIL, 'another long password', '192.0.2.8')).resolves.toBeDefined();
});

test('an identity takes over the account of its address only when the provider has verified it', async () => {
  const identity = {
    issuer: ISSUER,
    subject: 'one',
    email: EMAIL.toUpperCase(),
    mayBecomeOwner: false,
    groups: null,
  };
  await expect(signInWithIdentity(db, { ...identity, emailVerified: false })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(signInWithIdentity(db, { ...identity, emailVerified: true })).resolves.toEqual({
    id: ownerId,
  });
});

test('a known identity stays the same user when its address changes', async () => {
  const again = {
    issuer: ISSUER,
    subject: 'one',
    email: 'moved@example.com',
    emailVerified: false,
    mayBecomeOwner: false,
    groups: null,
  };
  await expect(signInWithIdentity(db, again)).resolves.toEqual({ id: ownerId });
});

test('a stranger of the identity provider is in no workspace', async () => {
  const stranger = {
    issuer: ISSUER,
    subject: 'two',
    email: 'stranger@example.com',
    emailVerified: true,
    mayBecomeOwner: false,
    groups: null,
  };
  const { id } = await signInWithIdentity(db, stranger);
  expect(await listMemberships(db, id)).toEqual([]);
  const [user] = await db.select().from(users).where(eq(users.id, id));
  expect(user?.passwordHash).toBeNull();
});

test.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['nowhere', 'UTC'],
  [undefined, 'UTC'],
])(
  'the workspace of an owner of the identity provider with the browser in %s is in %s',
  async (zone, expected) => {
    const empty = await createTestDatabase();
    const emptyDb = openDatabase(empty.url);
    try {
      const owner = { issuer: ISSUER, subject: 'owner', email: EMAIL, emailVerified: true, groups: null };
      const { id } = await signInWithIdentity(emptyDb, { ...owner, mayBecomeOwner: true, zone });
      const [workspace] = await listMemberships(emptyDb, id);
      const time = await getWorkspaceTime({ db: emptyDb, workspaceId: workspace?.id ?? '' });
      expect([workspace?.role, time.zone]).toEqual(['owner', expected]);
    } finally {
      await emptyDb.$client.end();
      await empty.drop();
    }
  },
);
