// Every change is recorded in its own transaction: a server action or an operation of the API whose audit entry cannot
// be written changes nothing, and both leave the same entry (docs/security.md).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handleApiRequest } from '#lib/api/route.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { createFirstOwner, createInvitedAccount } from '#lib/identity/auth/create-account.ts';
import { requestPasswordReset, usePasswordReset } from '#lib/identity/auth/password-reset.ts';
import { signInWithIdentity } from '#lib/identity/auth/sign-in-with-identity.ts';
import { setGroupAccess } from '#lib/identity/groups/group-access.ts';
import { changeRole } from '#lib/identity/members/members.ts';
import { acceptInvitation, createInvitation } from '#lib/identity/members/invitations.ts';
import { breakGlassOwners, passkeys, signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { recordBreakGlass } from '#lib/identity/sign-in-policy/record-break-glass.ts';
import { confirmPasskey, startAddingPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { deleteAllPasskeys } from '#lib/identity/passkeys/edit-passkeys.ts';
import { SoftwarePasskey } from '#lib/identity/testing/software-passkey.ts';
import { replaceCodes } from '#lib/identity/two-factor/recovery-codes.ts';
import { finishSecondStep, startSecondStep } from '#lib/identity/two-factor/second-step.ts';
import { removeTwoFactor } from '#lib/identity/two-factor/change-two-factor.ts';
import { mailBinding } from '#lib/mail/queue-mail.ts';
import { finishLogin } from '#lib/messaging/connections/login/finish-login.ts';
import { startLogin } from '#lib/messaging/connections/login/start-login.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { uploadMedia } from '#lib/messaging/sending/upload-media.ts';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { newId } from '#lib/core/ids.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { ACTION_ENTRIES, type Audited, OPERATION_ENTRIES } from './testing/audit-cases.ts';
import { type ActionCase, ACTIONS } from './testing/authorization-actions.ts';
import { type ChangeLog, startChangeLog } from './testing/change-log.ts';
import { OPERATION_CASES } from './testing/authorization-operations.ts';
import { createTargets, type Targets } from './testing/authorization-targets.ts';
import { PASSWORD } from './testing/authorization-world.ts';

interface Entry {
  workspace_id: string;
  action: string;
  actor_id: string;
  target_id: string | null;
  target_name: string | null;
}

const session = vi.hoisted((): { member: unknown } => ({ member: undefined }));
vi.mock('#lib/identity/auth/session.ts', () => ({
  assertMember: async () => session.member,
  findUser: async () => (session.member as { user: unknown }).user,
}));
vi.mock('next/cache', () => ({ revalidatePath: () => undefined }));
vi.mock('next/navigation', () => ({ unstable_rethrow: () => undefined, redirect: () => undefined }));
vi.mock('next/headers', () => ({}));
vi.mock('next-auth', () => ({}));

const SILENT = { sent_after_ms: 3_600_000, template_review_ms: 3_600_000 };

let world: MessagingWorld;
let ctx: MessagingActorContext;
let things: Targets;
let receiver: Server;
let keys: { id: string; key: string };
let changes: ChangeLog;

beforeAll(async () => {
  world = await startMessagingWorld({}, SILENT);
  // The verbs of the platform read its address from the settings of the process.
  for (const [name, value] of Object.entries({ ...world.variables, LOG_LEVEL: 'silent' }))
    vi.stubEnv(name, value);
  const owner = await createFirstOwner(world.ctx.db, { email: 'owner@example.com', password: PASSWORD });
  // The platform performs the handshake before it sends notifications.
  receiver = createServer(({ url = '' }, response) => {
    response.end(new URL(url, 'http://receiver').searchParams.get('hub.challenge'));
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  ctx = { ...world.ctx, actor: owner.id, baseUrl };
  const engine = new TestEngine(ctx);
  const receive = async (...event: Parameters<TestEngine['receive']>) =>
    (await engine.receive(...event)).eventId;
  const common = {
    receive,
    sandboxUrl: world.sandbox.url,
    secrets: new Set<string>(),
    planted: new Set<string>(),
  };
  things = createTargets({ ctx, mark: 'audited', ...common });
  keys = await createApiKey(ctx, { name: 'Test', scope: 'admin' });
  const user = {
    id: owner.id,
    email: 'owner@example.com',
    hasPassword: true,
    signedInBy: 'password',
    signedInAt: new Date(),
    sessionId: newId(),
  };
  session.member = { ...ctx, user, role: 'owner', memberships: [{ role: 'owner' }] };
  changes = await startChangeLog(world.runtime.db.$client);
});
afterAll(async () => {
  // Actions that need no member take their connections from the process.
  await (await processRuntime()).close();
  vi.unstubAllEnvs();
  receiver.close();
  await world.end();
});

const query = (text: string, values: unknown[] = []) => world.runtime.db.$client.query<Entry>(text, values);

/** The entries written by `work`, oldest first. */
async function entriesOf(work: () => Promise<unknown>): Promise<Entry[]> {
  const { rows: before } = await query('select id as action from audit_entries');
  await work();
  const known = before.map(({ action }) => action);
  const { rows } = await query('select * from audit_entries where not id = any($1) order by id', [known]);
  return rows;
}

/** Actions on an account are recorded in each of its workspaces; all others in one. */
function expectInEachWorkspace(found: readonly Entry[], actions: readonly string[]): void {
  const byWorkspace = Map.groupBy(found, ({ workspace_id }) => workspace_id);
  expect(byWorkspace.size).toBeGreaterThan(0);
  for (const entries of byWorkspace.values()) expect(entries.map(({ action }) => action)).toEqual(actions);
}

/** As if the disk were full at this moment. */
async function withoutAudit(work: () => Promise<void>): Promise<void> {
  await query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no audit'; end $$`,
  );
  await query('create trigger refuse before insert on audit_entries for each row execute function refuse()');
  try {
    await work();
  } finally {
    await query('drop function refuse() cascade');
  }
}

/** @param call throws, or is refused, when the entry cannot be written */
async function expectNothingChanged(call: () => Promise<unknown>): Promise<void> {
  await withoutAudit(async () => {
    await changes.take();
    await expect(call()).rejects.toThrow();
    expect(await changes.take()).toEqual([]);
  });
}

const ACTION_CASES = Object.entries(ACTION_ENTRIES).flatMap(([file, actions]) =>
  Object.entries<Audited>(actions).map(([name, audited]): [string, Audited] => [`${file}#${name}`, audited]),
);
const AUDITED_ACTIONS = ACTION_CASES.map(([name, audited]) => ({
  name,
  ...('args' in audited ? audited : { entries: audited, args: undefined }),
})).filter(({ entries }) => entries.length > 0);

type ServerAction = (...args: unknown[]) => Promise<ActionResult<unknown>>;

/** Makes a call of a server action with its own sample. @returns the call, and the ids in the sample */
async function prepareAction(name: string): Promise<{ call: () => Promise<unknown>; given: string }> {
  const [file = '', action = ''] = name.split('#');
  const sample = (ACTIONS as unknown as Record<string, Record<string, ActionCase>>)[file]?.[action];
  const prepared = AUDITED_ACTIONS.find((each) => each.name === name)?.args;
  const by = { userId: ctx.actor, workspaceId: ctx.workspaceId };
  const args = prepared ? [await prepared(things, ctx)] : ((await sample?.args(things, by)) ?? []);
  const actions = (await import(`../${file}`)) as Record<string, ServerAction>;
  return {
    given: JSON.stringify(args),
    async call() {
      const result = await actions[action]?.(...args);
      if (!result?.ok) throw new Error(JSON.stringify(result?.error));
    },
  };
}

/** The same for an operation of the API. */
async function prepareOperation(id: string): Promise<{ call: () => Promise<unknown>; given: string }> {
  const operation = OPERATIONS.find((each) => each.id === id);
  const { params, body } = OPERATION_CASES[id] ?? {};
  const given = (await (OPERATION_ENTRIES[id]?.params?.(things, ctx) ?? params?.(things))) ?? {};
  const path = operation?.path.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
  const { db, secrets, logger } = world.runtime;
  const runtime = { db, secrets, logger, baseUrl: ctx.baseUrl, environmentKey: undefined };
  return {
    given: JSON.stringify(given),
    async call() {
      const request = new Request(`http://localhost/api/v1${path}`, {
        method: operation?.method ?? 'POST',
        headers: {
          authorization: `Bearer ${keys.key}`,
          'content-type': 'application/json',
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const response = await handleApiRequest(runtime, request);
      if (!response.ok) throw new Error(await response.text());
    },
  };
}

/** Values that must not depend on the interface: names of new records differ between samples. */
const comparable = ({ action, target_id, target_name }: Entry, given: string) => {
  const isGiven = given.includes(String(target_id));
  // Each sample is another message template: an edited one is reviewed, and a deleted one gone. Secrets only have a name.
  const hasName = isGiven && !/^(?:message_template|secret)\./.test(action);
  return {
    action,
    isGiven,
    isNew: !isGiven && target_id !== null,
    name: hasName ? target_name : typeof target_name,
  };
};

describe('server actions', () => {
  test.each(AUDITED_ACTIONS)('$name changes nothing without its entry', async ({ name }) => {
    const { call } = await prepareAction(name);
    await expectNothingChanged(call);
  });

  test.each(AUDITED_ACTIONS)('$name is recorded', async ({ name, entries }) => {
    const { call } = await prepareAction(name);
    const found = await entriesOf(call);
    expectInEachWorkspace(found, entries);
    expect(new Set(found.map(({ actor_id }) => actor_id))).toEqual(new Set([ctx.actor]));
  });
});

describe('operations of the API', () => {
  const cases = Object.entries(OPERATION_ENTRIES)
    .map(([id, audited]) => ({ id, ...audited }))
    .filter(({ entries }) => entries.length > 0);

  test('every one that is no GET is here', () => {
    const changing = OPERATIONS.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(Object.keys(OPERATION_ENTRIES).sort()).toEqual(changing.sort());
  });

  test.each(cases)('$id changes nothing without its entry', async ({ id }) => {
    const { call } = await prepareOperation(id);
    await expectNothingChanged(call);
  });

  test.each(cases)('$id is recorded as the screens record it', async ({ id, entries, action }) => {
    const byKey = await prepareOperation(id);
    const found = await entriesOf(byKey.call);
    expect(found.map((entry) => entry.action)).toEqual(entries);
    const actor = `api-key:${keys.id}`;
    expect(found.map(({ actor_id }) => actor_id)).toEqual(entries.map(() => actor));
    if (action === undefined) return;
    const byMember = await prepareAction(action);
    const onScreen = await entriesOf(byMember.call);
    expect(found.map((entry) => comparable(entry, byKey.given))).toEqual(
      onScreen.map((entry) => comparable(entry, byMember.given)),
    );
  });
});

describe('what neither of them does', () => {
  const invite = async (): Promise<string> => {
    const { url } = await createInvitation(ctx, { note: '', role: 'editor', days: 1 });
    return url.slice(url.lastIndexOf('/') + 1);
  };
  let accounts = 0;
  const account = () => ({ email: `invited-${accounts++}@example.com`, password: PASSWORD });
  const cases: [string, () => Promise<() => Promise<unknown>>][] = [
    [
      'invitation.accepted',
      async () => {
        const [token, userId] = [await invite(), await things.member()];
        return () => acceptInvitation(ctx.db, { token, userId });
      },
    ],
    [
      'invitation.accepted',
      async () => {
        const input = { ...account(), token: await invite() };
        return () => createInvitedAccount(ctx.db, input);
      },
    ],
    [
      'password.reset',
      async () => {
        const { email, password } = account();
        await createInvitedAccount(ctx.db, { email, password, token: await invite() });
        await requestPasswordReset(ctx, { email, address: '192.0.2.1' });
        const { rows } = await query(
          'select id as target_id, content_encrypted as action from mails order by id desc limit 1',
        );
        const mail = rows[0];
        const content = ctx.secrets.open(mail?.action ?? '', mailBinding(mail?.target_id ?? ''));
        const token = /reset-password\/([\w-]+)/.exec(content)?.[1] ?? '';
        return () => usePasswordReset(ctx.db, { token, password });
      },
    ],
    [
      'member.joined',
      async () => {
        const access = { groupRoles: [{ group: 'staff', role: 'viewer' as const }], defaultRole: null };
        await setGroupAccess(ctx, access);
        const { email } = account();
        const identity = { issuer: 'https://id.example', subject: email, email, emailVerified: true };
        return () => signInWithIdentity(ctx.db, { ...identity, groups: ['staff'], mayBecomeOwner: false });
      },
    ],
    [
      'account.identity_linked',
      async () => {
        await setGroupAccess(ctx, null);
        const { email, password } = account();
        await createInvitedAccount(ctx.db, { email, password, token: await invite() });
        const identity = { issuer: 'https://id.example', subject: email, email, emailVerified: true };
        return () => signInWithIdentity(ctx.db, { ...identity, groups: [], mayBecomeOwner: false });
      },
    ],
    [
      'break_glass.signed_in',
      async () => {
        await ctx.db.delete(signInPolicy);
        const { id: userId } = await createInvitedAccount(ctx.db, { ...account(), token: await invite() });
        await changeRole(ctx, { userId, role: 'owner' });
        await ctx.db.insert(breakGlassOwners).values({ userId });
        await ctx.db.insert(signInPolicy).values({ requiresIdentity: true });
        return () =>
          recordBreakGlass({ ...ctx, canMail: true }, { userId, address: '192.0.2.1', with: 'a password' });
      },
    ],
    [
      'two_factor.recovery_code_used',
      async () => {
        await things.twoFactorCode(ctx.actor, new Date(0));
        const [code = ''] = await ctx.db.transaction((tx) => replaceCodes(tx, ctx.actor));
        const token = (await startSecondStep(ctx.db, ctx.actor)) ?? '';
        const step = { token, code, address: '192.0.2.1', browserIdOf: () => 'known' };
        return () => finishSecondStep({ ...ctx, canMail: false }, step);
      },
    ],
    [
      'two_factor.removed',
      async () => {
        await things.twoFactorCode(ctx.actor, new Date(0));
        return () => removeTwoFactor({ ...ctx, canMail: false }, { email: 'owner@example.com' });
      },
    ],
    [
      'passkey.added',
      async () => {
        await things.withoutTwoFactor();
        const origin = 'https://patchbay.example';
        const relyingParty = { id: 'patchbay.example', origin };
        const keeper = { ...ctx, canMail: false, relyingParty };
        const { user } = session.member as { user: Parameters<typeof confirmPasskey>[1] };
        const proof = { password: PASSWORD, code: '' };
        const { options, sealed } = await startAddingPasskey(keeper, user, { name: 'Laptop', ...proof });
        const response = new SoftwarePasskey(origin).create(options);
        return () => confirmPasskey(keeper, user, { sealed, response });
      },
    ],
    [
      'passkey.deleted',
      async () => {
        await ctx.db.delete(passkeys);
        await things.passkeyId(ctx.actor);
        return () => deleteAllPasskeys({ ...ctx, canMail: false }, { email: 'owner@example.com' });
      },
    ],
    [
      'connection.media_uploaded',
      async () => {
        const connectionId = await things.connectionId();
        const content = (async function* () {
          yield Buffer.from('%PDF-1.4');
        })();
        const file = { fileName: 'bill.pdf', bytes: undefined, content };
        return () => uploadMedia(ctx, { connectionId, phoneNumberId: IDS.booksOrders, ...file });
      },
    ],
  ];

  afterEach(async () => void (await ctx.db.delete(signInPolicy)));

  test.each(cases)('%s: changes nothing without its entry, and is recorded', async (action, prepare) => {
    await expectNothingChanged(await prepare());
    expectInEachWorkspace(await entriesOf(await prepare()), [action]);
  });

  test('workspace.claimed: no account is made without its entry', async () => {
    await query('create table kept_memberships as table memberships');
    await query('delete from memberships');
    await expectNothingChanged(() => createFirstOwner(ctx.db, account()));
    const [entry] = await entriesOf(() => createFirstOwner(ctx.db, account()));
    expect(entry).toMatchObject({ action: 'workspace.claimed' });
    await query('insert into memberships select * from kept_memberships');
    await query('drop table kept_memberships');
  });

  test('connection.reconnected: the tokens stay without its entry', async () => {
    const connectionId = await things.connectionId();
    const signIn = async () => {
      const { url } = await startLogin(ctx, { userId: ctx.actor, connectionId });
      const { redirect_url } = await world.control<{ redirect_url: string }>('POST', 'sign-in', {
        authorize_url: url,
      });
      const answer = new URL(redirect_url).searchParams;
      const given = (name: string) => answer.get(name) ?? undefined;
      const known = { userId: ctx.actor, state: given('state') ?? '' };
      return () => finishLogin(ctx, { ...known, code: given('code'), issuer: given('iss') });
    };
    const tokensOf = async () =>
      (await query('select token_revision as action from connections where id = $1', [connectionId])).rows;
    const finish = await signIn();
    const before = await tokensOf();
    await withoutAudit(() => expect(finish()).rejects.toThrow());
    expect(await tokensOf()).toEqual(before);
    const found = await entriesOf(await signIn());
    expect(found).toMatchObject([{ action: 'connection.reconnected', target_id: connectionId }]);
  });
});
