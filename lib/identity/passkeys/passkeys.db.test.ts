import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { findSessionUser, startSession } from '#lib/identity/auth/user-sessions.ts';
import { memberships, signInLimits, users, userSessions } from '#lib/identity/schema/accounts.ts';
import {
  breakGlassOwners,
  passkeys,
  signInPolicy,
  twoFactor,
  usedPasskeyChallenges,
} from '#lib/identity/schema/sign-in.ts';
import { type Lie, SoftwarePasskey } from '#lib/identity/testing/software-passkey.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { totpBinding } from '#lib/identity/two-factor/context.ts';
import { makeTotpSecret } from '#lib/identity/two-factor/use-code.ts';
import { mails } from '#lib/mail/schema.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import { confirmPasskey, startAddingPasskey } from './add-passkey.ts';
import type { PasskeyContext } from './relying-party.ts';
import {
  countPasskeys,
  deleteAllPasskeys,
  deletePasskey,
  explainNoPasskeys,
  hasAnyPasskey,
  listPasskeys,
  renamePasskey,
} from './edit-passkeys.ts';
import type { ProvingSession } from './needed-proof.ts';
import { finishPasskeySignIn, startPasskeySignIn } from './sign-in-with-passkey.ts';

const password = 'correct horse battery';
const email = 'owner@example.com';
const ORIGIN = 'https://patchbay.example';
const NO_PROOF = { password: '', code: '' };

let world: TestContext;
let ctx: PasskeyContext;
let userId: string;
let session: ProvingSession;
let passkey: SoftwarePasskey;

beforeAll(async () => {
  world = await createTestContext();
  const { db, secrets } = world.ctx;
  ctx = { db, secrets, canMail: true, relyingParty: { id: 'patchbay.example', origin: ORIGIN } };
  userId = (await createFirstOwner(db, { email, password })).id;
  await makePasswordQuick(db.$client, { email, password });
});
afterAll(() => world.end());

beforeEach(async () => {
  for (const table of [
    passkeys,
    usedPasskeyChallenges,
    signInLimits,
    mails,
    userSessions,
    twoFactor,
    signInPolicy,
  ])
    await ctx.db.delete(table);
  session = await signedIn();
  passkey = await add(session, 'Laptop');
  await ctx.db.delete(mails);
});

async function signedIn(
  signedInBy: 'password' | 'passkey' = 'password',
  account = { id: userId, email },
): Promise<ProvingSession> {
  const sessionId = await startSession(ctx.db, account.id, { signedInBy });
  return { ...account, sessionId, signedInBy, signedInAt: new Date() };
}

async function add(by: ProvingSession, name: string, lie: Lie = {}): Promise<SoftwarePasskey> {
  const made = new SoftwarePasskey(ORIGIN);
  const { options, sealed } = await startAddingPasskey(ctx, by, { name, ...NO_PROOF });
  await confirmPasskey(ctx, by, { sealed, response: made.create(options, lie) });
  return made;
}

const ask = (by = ctx) => startPasskeySignIn(by);
const from = (address: string) => ({ address, browserIdOf: () => undefined });

/** Signs in like the browser. */
async function signIn(by = passkey, lie: Lie = {}, address = '192.0.2.1') {
  const { options, sealed } = ask();
  return finishPasskeySignIn(ctx, { sealed, response: by.answer(options, lie), ...from(address) });
}

const lastEntry = async () => (await listAuditEntries(world.ctx, { limit: 1 })).data[0];
const subjects = async (): Promise<string[]> =>
  (await ctx.db.select().from(mails)).map(({ subject }) => subject);
const idOf = async (name: string): Promise<string> =>
  (await listPasskeys(ctx.db, userId)).find((found) => found.name === name)?.id ?? '';

/** Another user with a passkey. */
async function other(): Promise<{ session: ProvingSession; passkey: SoftwarePasskey }> {
  const account = { id: newId(), email: `${newId()}@example.com` };
  const [owner] = await ctx.db.select().from(users).where(eq(users.id, userId));
  await ctx.db.insert(users).values({ ...account, passwordHash: owner?.passwordHash ?? null });
  const by = await signedIn('password', account);
  return { session: by, passkey: await add(by, 'Phone') };
}

/** @returns the current code of the account's app */
async function turnOnTwoFactor(): Promise<string> {
  const key = makeTotpSecret();
  const secret = ctx.secrets.seal(key, totpBinding(userId));
  await ctx.db.insert(twoFactor).values({ userId, secret, confirmedAt: new Date() });
  return TOTP.generate({ secret: Secret.fromBase32(key) });
}

describe('adding', () => {
  test('asks for a passkey that signs in alone and verifies its user, and not for one that is there', async () => {
    const { options } = await startAddingPasskey(ctx, session, { name: 'Phone', ...NO_PROOF });
    expect(options).toMatchObject({
      rp: { id: 'patchbay.example', name: 'Patchbay' },
      user: { name: email, id: Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(options.excludeCredentials).toHaveLength(1);
  });

  test('is listed, recorded and mailed', async () => {
    expect(await listPasskeys(ctx.db, userId)).toMatchObject([
      { name: 'Laptop', rpId: 'patchbay.example', lastUsedAt: null },
    ]);
    await add(session, 'Phone');
    expect(await lastEntry()).toMatchObject({
      action: 'passkey.added',
      actorName: email,
      targetName: `Phone of ${email}`,
    });
    expect(await subjects()).toEqual(['A passkey was added to your Patchbay account']);
    expect(await hasAnyPasskey(ctx.db)).toBe(true);
  });

  test.each<[string, Lie]>([
    ['made for another site', { origin: 'https://patchbay.example.evil.example' }],
    ['made for another port', { origin: `${ORIGIN}:8443` }],
    ['made for another host', { rpId: 'example' }],
    ['made without verifying its user', { verifiesUser: false }],
    ['made for another challenge', { challenge: 'AAAA' }],
  ])('refuses one %s', async (_, lie) => {
    await expect(add(session, 'Phone', lie)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await listPasskeys(ctx.db, userId)).toHaveLength(1);
  });

  test('takes an answer once, in the session that asked, and no passkey twice', async () => {
    const { options, sealed } = await startAddingPasskey(ctx, session, { name: 'Phone', ...NO_PROOF });
    const response = new SoftwarePasskey(ORIGIN).create(options);
    const thief = await signedIn();
    await expect(confirmPasskey(ctx, thief, { sealed, response })).rejects.toMatchObject({
      code: 'conflict',
    });
    const both = await Promise.allSettled(
      [1, 2].map(() => confirmPasskey(ctx, session, { sealed, response })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await ctx.db.delete(passkeys).where(eq(passkeys.name, 'Phone'));
    await expect(confirmPasskey(ctx, session, { sealed, response })).rejects.toMatchObject({
      code: 'conflict',
    });

    const again = await startAddingPasskey(ctx, session, { name: 'Again', ...NO_PROOF });
    await expect(
      confirmPasskey(ctx, session, { sealed: again.sealed, response: passkey.create(again.options) }),
    ).rejects.toThrow('added before');
  });

  test('takes a passkey of somebody else from nobody', async () => {
    const somebody = await other();
    const { options, sealed } = await startAddingPasskey(ctx, somebody.session, {
      name: 'Stolen',
      ...NO_PROOF,
    });
    await expect(
      confirmPasskey(ctx, somebody.session, { sealed, response: passkey.create(options) }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await listPasskeys(ctx.db, userId)).toHaveLength(1);
  });

  test('needs the password where it was not entered a moment ago, and the code where there is one', async () => {
    const old = { ...session, signedInAt: new Date(Date.now() - 3_600_000) };
    const start = (by: ProvingSession, proof: { password: string; code: string }) =>
      startAddingPasskey(ctx, by, { name: 'Phone', ...proof });
    await expect(start(old, NO_PROOF)).rejects.toMatchObject({ problems: [{ path: 'password' }] });
    await expect(start(old, { password, code: '' })).resolves.toBeDefined();
    const code = await turnOnTwoFactor();
    await expect(start(session, { password, code: '' })).rejects.toMatchObject({
      problems: [{ path: 'code' }],
    });
    await expect(start(session, { password: 'wrong', code })).rejects.toMatchObject({
      problems: [{ path: 'password' }],
    });
    await expect(start(session, { password, code })).resolves.toBeDefined();
    await expect(start(await signedIn('passkey'), NO_PROOF)).resolves.toBeDefined();
  });

  test('ends at 20', async () => {
    const [one] = await ctx.db.select().from(passkeys);
    if (!one) throw new Error('There is none.');
    const more = Array.from({ length: 19 }, (_, index) => ({
      ...one,
      id: newId(),
      credentialId: Buffer.from([index]),
    }));
    await ctx.db.insert(passkeys).values(more);
    await expect(add(session, 'One too many')).rejects.toThrow('at most 20');
  });
});

describe('signing in', () => {
  test('says whose it is and when it was used, and starts a session that meets the second factor', async () => {
    await turnOnTwoFactor();
    expect(await signIn()).toEqual({ id: userId, email, passkeyId: await idOf('Laptop') });
    expect((await listPasskeys(ctx.db, userId))[0]?.lastUsedAt).not.toBeNull();
    const { sessionId } = await signedIn('passkey');
    expect(await findSessionUser(ctx.db, sessionId)).toMatchObject({
      signedInBy: 'passkey',
      hasTwoFactor: true,
    });
  });

  test('offers every passkey of the host: nobody is told who has one', () => {
    const { options } = ask();
    expect(options).toMatchObject({ rpId: 'patchbay.example', userVerification: 'required' });
    expect(options.allowCredentials).toBeUndefined();
  });

  test.each<[string, Lie]>([
    ['given to another site', { origin: 'https://evil.example' }],
    ['given over HTTP', { origin: 'http://patchbay.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['without verifying its user', { verifiesUser: false }],
    ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['that names another account', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ])('refuses an answer %s', async (_, lie) => {
    await expect(signIn(passkey, lie)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(signIn()).resolves.toBeDefined();
  });

  test('takes an answer once, also when it arrives twice at once', async () => {
    const { options, sealed } = ask();
    const answer = { sealed, response: passkey.answer(options), ...from('192.0.2.1') };
    const both = await Promise.allSettled([1, 2].map(() => finishPasskeySignIn(ctx, answer)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(finishPasskeySignIn(ctx, answer)).rejects.toThrow('Try again');
  });

  test('takes an answer of a passkey that does not count once, too', async () => {
    const { options, sealed } = ask();
    const answer = { sealed, response: passkey.answer(options, { counter: 0 }), ...from('192.0.2.1') };
    await finishPasskeySignIn(ctx, answer);
    await expect(finishPasskeySignIn(ctx, answer)).rejects.toMatchObject({ code: 'conflict' });
    await expect(signIn(passkey, { counter: 0 })).resolves.toBeDefined();
  });

  test('takes no answer without the challenge of the browser, and none that was made for adding', async () => {
    const { options } = ask();
    const response = passkey.answer(options);
    const adding = await startAddingPasskey(ctx, session, { name: 'Phone', ...NO_PROOF });
    for (const sealed of ['', ask().sealed, adding.sealed])
      await expect(finishPasskeySignIn(ctx, { sealed, response, ...from('192.0.2.1') })).rejects.toThrow();
  });

  test.each([0, 4, 5])(
    'refuses a counter that went from 5 to %d: somebody may have copied the key',
    async (counter) => {
      await signIn(passkey, { counter: 5 });
      await expect(signIn(passkey, { counter })).rejects.toMatchObject({ code: 'unauthorized' });
      await expect(signIn(passkey, { counter: 6 })).resolves.toBeDefined();
    },
  );

  test('refuses a deleted passkey with a text that says so', async () => {
    await deletePasskey(ctx, session, { id: await idOf('Laptop'), ...NO_PROOF });
    await expect(signIn()).rejects.toThrow('does not know this passkey: it was deleted');
    expect(await hasAnyPasskey(ctx.db)).toBe(false);
  });

  test('refuses a passkey that signs for another account', async () => {
    const somebody = await other();
    const userHandle = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
    await expect(signIn(somebody.passkey, { userHandle })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await signIn(somebody.passkey)).toMatchObject({ id: somebody.session.id });
  });

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a part', '{"id":"AA"}'],
    ['too much', 'x'.repeat(30_000)],
  ])('refuses what is no answer: %s', async (_, response) => {
    await expect(
      finishPasskeySignIn(ctx, { sealed: ask().sealed, response, ...from('192.0.2.1') }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('slows down whoever keeps failing, and nobody else', async () => {
    const fail = () => signIn(passkey, { origin: 'https://evil.example' }, '198.51.100.7');
    for (let index = 0; index < 6; index += 1) await expect(fail()).rejects.toThrow();
    await expect(signIn(passkey, {}, '198.51.100.7')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(signIn(passkey, {}, '192.0.2.1')).resolves.toBeDefined();
  });
});

test('where the identity provider is required, passkeys are for break-glass owners, as passwords are', async () => {
  await ctx.db.insert(signInPolicy).values({ requiresIdentity: true });
  const asked = { user: { id: userId, hasPassword: true }, providerName: 'Acme', baseUrl: ORIGIN };
  await expect(signIn()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(add(session, 'Phone')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await explainNoPasskeys(ctx.db, asked)).toContain('sign in with Acme');
  await ctx.db.insert(breakGlassOwners).values({ userId });
  await expect(signIn()).resolves.toEqual({ id: userId, email, passkeyId: await idOf('Laptop') });
  expect(await explainNoPasskeys(ctx.db, asked)).toBeNull();
  await ctx.db.delete(breakGlassOwners);
});

test('accounts without a password and hosts without HTTPS have none', async () => {
  const asked = { user: { id: userId, hasPassword: true }, providerName: null, baseUrl: ORIGIN };
  expect(await explainNoPasskeys(ctx.db, { ...asked, user: { id: userId, hasPassword: false } })).toContain(
    'password',
  );
  expect(await explainNoPasskeys(ctx.db, { ...asked, baseUrl: 'http://192.0.2.1' })).toContain('HTTPS');
});

describe('renaming and deleting', () => {
  test('a name is changed and recorded', async () => {
    await renamePasskey(ctx, session, { id: await idOf('Laptop'), name: 'Old laptop' });
    expect(await lastEntry()).toMatchObject({
      action: 'passkey.renamed',
      targetName: `Old laptop of ${email}`,
    });
    expect(await idOf('Old laptop')).not.toBe('');
  });

  test('is for one’s own passkeys only', async () => {
    const { session: stranger } = await other();
    const id = await idOf('Laptop');
    await expect(renamePasskey(ctx, stranger, { id, name: 'Mine' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(deletePasskey(ctx, stranger, { id, ...NO_PROOF })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(deletePasskey(ctx, session, { id: 'nothing', ...NO_PROOF })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await idOf('Laptop')).toBe(id);
  });

  test('deleting needs what adding needs, and is recorded and mailed', async () => {
    const id = await idOf('Laptop');
    const old = { ...session, signedInAt: new Date(0) };
    await expect(deletePasskey(ctx, old, { id, ...NO_PROOF })).rejects.toMatchObject({
      problems: [{ path: 'password' }],
    });
    await deletePasskey(ctx, old, { id, password, code: '' });
    expect(await lastEntry()).toMatchObject({ action: 'passkey.deleted', targetName: `Laptop of ${email}` });
    expect(await subjects()).toEqual(['A passkey was deleted from your Patchbay account']);
  });

  test('deleting one ends the sessions that it started, and no others', async () => {
    await add(session, 'Phone');
    const [laptopId, phoneId] = [await idOf('Laptop'), await idOf('Phone')];
    const byPasskey = (passkeyId?: string) =>
      startSession(ctx.db, userId, { signedInBy: 'passkey', ...(passkeyId && { passkeyId }) });
    const [byLaptop, byPhone, fromBefore] = [
      await byPasskey(laptopId),
      await byPasskey(phoneId),
      await byPasskey(),
    ];
    const { session: stranger } = await other();
    await deletePasskey(ctx, session, { id: laptopId, ...NO_PROOF });
    expect(await findSessionUser(ctx.db, byLaptop)).toBeNull();
    // It is unknown which passkey started it.
    expect(await findSessionUser(ctx.db, fromBefore)).toBeNull();
    for (const id of [byPhone, session.sessionId, stranger.sessionId])
      expect(await findSessionUser(ctx.db, id)).not.toBeNull();
  });

  test('the browser in which a passkey is deleted stays signed in, also by that passkey', async () => {
    const id = await idOf('Laptop');
    const sessionId = await startSession(ctx.db, userId, { signedInBy: 'passkey', passkeyId: id });
    await deletePasskey(ctx, { ...session, sessionId, signedInBy: 'passkey' }, { id, ...NO_PROOF });
    expect(await findSessionUser(ctx.db, sessionId)).not.toBeNull();
  });

  test('the command line ends the sessions of all passkeys that it deletes', async () => {
    const sessionId = await startSession(ctx.db, userId, {
      signedInBy: 'passkey',
      passkeyId: await idOf('Laptop'),
    });
    await deleteAllPasskeys(ctx, { email });
    expect(await findSessionUser(ctx.db, sessionId)).toBeNull();
    expect(await findSessionUser(ctx.db, session.sessionId)).not.toBeNull();
  });

  test('the command line deletes all of an account, which is recorded and mailed', async () => {
    await add(session, 'Phone');
    await ctx.db.delete(mails);
    expect(await countPasskeys(ctx.db, email)).toBe(2);
    expect(await deleteAllPasskeys(ctx, { email })).toBe(2);
    expect(await deleteAllPasskeys(ctx, { email })).toBe(0);
    await expect(deleteAllPasskeys(ctx, { email: 'nobody@example.com' })).rejects.toThrow(
      'nobody@example.com',
    );
    expect(await lastEntry()).toMatchObject({ actorName: 'Command line', action: 'passkey.deleted' });
    expect(await subjects()).toHaveLength(2);
  });
});

test('challenges that were used are forgotten when they have expired', async () => {
  await signIn();
  await ctx.db.update(usedPasskeyChallenges).set({ expiresAt: sql`now() - interval '1 second'` });
  await signIn();
  expect(await ctx.db.select().from(usedPasskeyChallenges)).toHaveLength(1);
});

test('an account takes its passkeys with it', async () => {
  const { session: gone } = await other();
  await ctx.db.delete(memberships).where(eq(memberships.userId, gone.id));
  await ctx.db.delete(users).where(eq(users.id, gone.id));
  expect(await countPasskeys(ctx.db, gone.email)).toBe(0);
});
