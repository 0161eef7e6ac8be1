// The rules of sign-in over the REST API: the same guards as on the screen, whatever the key's scope.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { findSessionUser, startSession } from '#lib/identity/auth/user-sessions.ts';
import { auditEntries, memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { groupAccess, signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { handleApiRequest } from './route.ts';

const ISSUER = 'https://id.example';
const CLIENT_SECRET = 'the-client-secret-of-this-test';
const OFF = { requires_identity: false, trusts_emails: false, access_contact: '', break_glass_user_ids: [] };

let world: TestContext;
let keys: Record<'admin' | 'edit' | 'stranger', string>;

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://unused.example/unused');
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('AUTH_OIDC_ISSUER', ISSUER);
  vi.stubEnv('AUTH_OIDC_CLIENT_ID', 'patchbay');
  vi.stubEnv('AUTH_OIDC_CLIENT_SECRET', CLIENT_SECRET);
  world = await createTestContext();
  const create = async (ctx: TestContext['ctx'], scope: 'admin' | 'edit') =>
    (await createApiKey(ctx, { name: `To ${scope}`, scope })).key;
  keys = {
    admin: await create(world.ctx, 'admin'),
    edit: await create(world.ctx, 'edit'),
    stranger: await create(world.stranger, 'admin'),
  };
});
beforeEach(async () => {
  for (const table of [memberships, signInPolicy, groupAccess, auditEntries, users])
    await world.ctx.db.delete(table);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.end();
});

async function call(method: string, path: string, body?: object, key = keys.admin) {
  const request = new Request(`http://localhost/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { db, secrets, baseUrl } = world.ctx;
  const logger = pino({ level: 'silent' });
  const response = await handleApiRequest(
    { db, secrets, baseUrl, environmentKey: undefined, logger },
    request,
  );
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> };
}

async function addOwner({ hasPassword = true, groups }: { hasPassword?: boolean; groups?: string[] } = {}) {
  const { db, workspaceId } = world.ctx;
  const owner = { id: newId(), email: `${newId()}@example.com` };
  await db.insert(users).values({ ...owner, passwordHash: hasPassword ? 'hash' : null });
  await db.insert(memberships).values({ workspaceId, userId: owner.id, role: 'owner' });
  if (groups)
    await db
      .insert(userIdentities)
      .values({ issuer: ISSUER, subject: owner.id, userId: owner.id, groups, signedInAt: new Date() });
  return owner;
}

const actions = async () => (await world.ctx.db.select().from(auditEntries)).map(({ action }) => action);

test('what is set is read back, with the owners and without the client secret', async () => {
  const owner = await addOwner();
  const policy = { ...OFF, trusts_emails: true, access_contact: 'The service desk' };
  expect(await call('PUT', '/sign-in-policy', policy)).toMatchObject({
    status: 200,
    json: { ended_sessions: 0 },
  });
  const { json, text } = await call('GET', '/sign-in-policy');
  expect(json).toMatchObject({
    provider: { issuer: ISSUER, groups_claim: 'groups', session_hours: 24 },
    requires_identity: false,
    trusts_emails: true,
    access_contact: 'The service desk',
    owners: [{ user_id: owner.id, has_password: true, has_identity: false, is_break_glass: false }],
  });
  expect(text).not.toContain(CLIENT_SECRET);
  const [entry] = await world.ctx.db.select().from(auditEntries);
  expect(entry).toMatchObject({ action: 'sign_in_policy.changed', actorName: 'API key “To admin”' });
});

test('a key locks nobody out: an owner must be able to sign in afterwards', async () => {
  const owner = await addOwner();
  const without = await addOwner({ hasPassword: false });
  const required = { ...OFF, requires_identity: true };
  expect(await call('PUT', '/sign-in-policy', required)).toMatchObject({
    status: 409,
    json: { error: { code: 'conflict', message: expect.stringContaining('Nobody could sign in') as string } },
  });
  for (const break_glass_user_ids of [[without.id], [newId()]])
    expect(await call('PUT', '/sign-in-policy', { ...required, break_glass_user_ids })).toMatchObject({
      status: 400,
      json: { error: { problems: [{ path: 'break_glass_user_ids' }] } },
    });
  expect(await actions()).toEqual([]);
  expect((await call('GET', '/sign-in-policy')).json).toMatchObject({ requires_identity: false });
  const named = { ...required, break_glass_user_ids: [owner.id] };
  expect((await call('PUT', '/sign-in-policy', named)).status).toBe(200);
  expect((await call('PUT', '/sign-in-policy', required)).status).toBe(409);
  expect((await call('GET', '/sign-in-policy')).json).toMatchObject({ requires_identity: true });
});

test('sessions that were made with a password end, those of break-glass owners excepted', async () => {
  const { db } = world.ctx;
  const [glass, other] = [await addOwner(), await addOwner()];
  const [kept, ended] = [
    await startSession(db, glass.id, { signedInBy: 'password' }),
    await startSession(db, other.id, { signedInBy: 'password' }),
  ];
  const policy = { ...OFF, requires_identity: true, break_glass_user_ids: [glass.id] };
  expect((await call('PUT', '/sign-in-policy', policy)).json).toEqual({ ended_sessions: 1 });
  expect(await findSessionUser(db, kept)).not.toBeNull();
  expect(await findSessionUser(db, ended)).toBeNull();
});

test('nothing is assumed: a policy with a missing field changes nothing', async () => {
  const { requires_identity: _, ...rest } = OFF;
  expect(await call('PUT', '/sign-in-policy', rest)).toMatchObject({
    status: 400,
    json: { error: { problems: [{ path: 'requires_identity' }] } },
  });
});

test('keys with a lower scope neither read nor change anything of it', async () => {
  const rules = { group_roles: [{ group: 'staff', role: 'viewer' }], default_role: null };
  const calls: [string, string, object?][] = [
    ['GET', '/sign-in-policy'],
    ['PUT', '/sign-in-policy', OFF],
    ['GET', '/group-access'],
    ['PUT', '/group-access', { rules }],
    ['POST', '/group-access/preview', rules],
    ['GET', '/workspace/two-factor'],
    ['PUT', '/workspace/two-factor', { required: true }],
  ];
  for (const [method, path, body] of calls)
    expect((await call(method, path, body, keys.edit)).status, `${method} ${path}`).toBe(403);
});

test('a key of another workspace sees no owners and changes nothing of the installation', async () => {
  await addOwner();
  expect((await call('GET', '/sign-in-policy', undefined, keys.stranger)).json).toMatchObject({
    owners: null,
  });
  expect((await call('PUT', '/sign-in-policy', OFF, keys.stranger)).status).toBe(403);
});

test('groups are previewed, set and taken back', async () => {
  const admin = await addOwner({ groups: ['admins'] });
  const other = await addOwner({ groups: ['staff'] });
  const rules = { group_roles: [{ group: 'admins', role: 'owner' }], default_role: null };
  const preview = await call('POST', '/group-access/preview', rules);
  const { data } = preview.json as { data: { user_id: string }[] };
  expect(data.find(({ user_id }) => user_id === admin.id)).toMatchObject({
    role: 'owner',
    next_role: 'owner',
    group: 'admins',
  });
  expect(data.find(({ user_id }) => user_id === other.id)).toMatchObject({
    role: 'owner',
    next_role: null,
    stays_because: null,
    groups: ['staff'],
  });
  expect((await call('GET', '/group-access')).json).toEqual({ rules: null });
  expect((await call('PUT', '/group-access', { rules })).status).toBe(200);
  expect((await call('GET', '/group-access')).json).toEqual({ rules });
  await call('PUT', '/group-access', { rules: null });
  expect((await call('GET', '/group-access')).json).toEqual({ rules: null });
  expect(await actions()).toEqual(['workspace.group_roles_changed', 'workspace.group_roles_changed']);
});

test('the preview says who stays an owner whatever the groups say', async () => {
  await addOwner({ groups: ['staff'] });
  const rules = { group_roles: [], default_role: 'viewer' };
  expect((await call('POST', '/group-access/preview', rules)).json).toMatchObject({
    data: [{ role: 'owner', next_role: 'owner', stays_because: 'last_owner' }],
  });
});

test('groups that nobody could enter by, and those that are twice in the list, are refused with their place', async () => {
  const twice = { group: 'staff', role: 'viewer' };
  expect(
    await call('PUT', '/group-access', { rules: { group_roles: [], default_role: null } }),
  ).toMatchObject({
    status: 400,
    json: { error: { problems: [{ path: 'rules.group_roles' }] } },
  });
  expect(
    await call('PUT', '/group-access', { rules: { group_roles: [twice, twice], default_role: null } }),
  ).toMatchObject({ status: 400, json: { error: { problems: [{ path: 'rules.group_roles[1].group' }] } } });
});

test('a second factor that is required again counts from the first time', async () => {
  const { db, workspaceId } = world.ctx;
  const since = async () =>
    (
      await db.$client.query('select two_factor_required_at as at from workspaces where id = $1', [
        workspaceId,
      ])
    ).rows as { at: Date | null }[];
  await call('PUT', '/workspace/two-factor', { required: true });
  const first = await since();
  await call('PUT', '/workspace/two-factor', { required: true });
  expect(await since()).toEqual(first);
  expect((await call('GET', '/workspace/two-factor')).json).toEqual({ required: true });
  await call('PUT', '/workspace/two-factor', { required: false });
  expect(await since()).toEqual([{ at: null }]);
});

describe('the check of the identity provider', () => {
  const facts = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    jwks_uri: `${ISSUER}/jwks`,
    scopes_supported: ['openid', 'email', 'profile', 'groups'],
    claims_supported: ['sub', 'email'],
  };
  const check = async (says: () => Response, key = keys.admin) => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => says()),
    );
    try {
      return await call('GET', '/identity-provider/check', undefined, key);
    } finally {
      vi.unstubAllGlobals();
    }
  };

  test('says that it answers, and what it does not list', async () => {
    expect(await check(() => Response.json(facts))).toMatchObject({
      status: 200,
      json: {
        ok: true,
        message: 'The provider answers and matches the settings.',
        notes: ['It does not list the claim “groups”.'],
      },
    });
    const { claims_supported: _, ...silent } = facts;
    expect((await check(() => Response.json(silent))).json).toMatchObject({ ok: true, notes: [] });
  });

  test('says what is wrong', async () => {
    const other = { ...facts, issuer: 'https://other.example' };
    expect((await check(() => Response.json(other))).json).toMatchObject({
      ok: false,
      message: expect.stringContaining('its issuer is https://other.example') as string,
    });
    expect((await check(() => new Response('', { status: 503 }))).json).toMatchObject({
      ok: false,
      message: expect.stringContaining('answered 503') as string,
    });
  });

  test('is for keys that may set the rules', async () => {
    expect(await check(() => Response.json(facts), keys.edit)).toMatchObject({ status: 403 });
  });
});
