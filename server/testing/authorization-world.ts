// Two workspaces with accounts of every role in a running product, and the callers.
import { startChangeLog } from './change-log.ts';
import { randomBytes } from 'node:crypto';
import { createApiKey, revokeApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { KEY_SCOPES, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { createFirstOwner, createInvitedAccount } from '#lib/identity/auth/create-account.ts';
import { endSession } from '#lib/identity/auth/user-sessions.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { removeMember } from '#lib/identity/members/members.ts';
import { createInvitation } from '#lib/identity/members/invitations.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import { type Role, ROLES } from '#lib/identity/roles/roles.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { CookieJar, signIn } from './authorization-client.ts';
import type { Caller } from './authorization-rules.ts';
import { createTargets, FOR_OWNERS } from './authorization-targets.ts';
import { SecretIndex } from './secret-index.ts';

/** Password of all accounts; long enough for the password rules. */
export const PASSWORD = 'four words in a row';
/** Canary in all content of the workspace, which no one else may receive. */
export const MARK = 'kept-among-us';

/** Delay after which effects of earlier requests have ended, so that they are not attributed to a later one. */
const SILENT = { sent_after_ms: 3_600_000, template_review_ms: 3_600_000 };

export interface Person {
  /** Empty for callers without an account. */
  userId: string;
  email: string;
  cookies: CookieJar;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts database, sandbox and a web process (no worker: what is queued stays so). */
export async function startWorld() {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 4, name: 'authorization-test' });
  const base = `http://127.0.0.1:${await findFreePort()}`;
  const client = {
    id: 'app',
    secret: randomBytes(24).toString('hex'),
    redirectUris: [`${base}/oauth/callback`],
  };
  const sandbox = await startSandbox({ port: 0, client, settings: SILENT });
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  const environment = {
    DATABASE_URL: database.url,
    PORT: new URL(base).port,
    BASE_URL: base,
    // So that the route handlers of webhooks respond instead of the Node door.
    WEBHOOK_DOOR: 'next',
    AUTH_SECRET: randomBytes(24).toString('hex'),
    PATCHBAY_API_KEY: randomBytes(24).toString('hex'),
    ENCRYPTION_KEYS: encryptionKeys,
    MESSAGING_GRAPH_URL: sandbox.url,
    MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
    MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
    MESSAGING_CLIENT_ID: client.id,
    MESSAGING_CLIENT_SECRET: client.secret,
  };
  const web = await startProcess('server/web.ts', environment);

  const shared = {
    db,
    secrets: createSecretBox(encryptionKeys),
    baseUrl: base,
    platform: platformSettingsOf(parseSettings(environment)),
  };
  // After a minute without a worker the web process would do its work, and change data that the call did not.
  await db.$client.query(
    `insert into processes (id, kind, heartbeat_at) values ($1, 'worker', now() + interval '1 hour')`,
    [newId()],
  );
  const workspaceId = await ensureFirstWorkspace(db);
  const otherId = newId();
  await db.$client.query('update workspaces set name = $2 where id = $1', [workspaceId, `Space ${MARK}`]);
  await db.$client.query('insert into workspaces (id, name) values ($1, $2)', [otherId, 'Another one']);

  const owner = await createFirstOwner(db, { email: `owner@${MARK}.example`, password: PASSWORD });
  const ctx = { ...shared, workspaceId, actor: owner.id };
  const other = { ...shared, workspaceId: otherId, actor: 'elsewhere' };
  const join = async (of: typeof ctx, name: string, role: Role): Promise<Person> => {
    const { url } = await createInvitation(of, { note: name, role, days: 1 });
    const account = { email: `${name}@example.test` };
    const { id } = await createInvitedAccount(db, {
      ...account,
      password: PASSWORD,
      token: url.slice(url.lastIndexOf('/') + 1),
    });
    await makePasswordQuick(db.$client, { ...account, password: PASSWORD });
    return { ...account, userId: id, cookies: await signIn(base, account.email, PASSWORD) };
  };
  const people: Record<Caller, Person> = {
    'signed out': { userId: '', email: '', cookies: new CookieJar() },
    'session ended': await join(ctx, 'left', 'owner'),
    'no workspace': await join(ctx, 'removed', 'owner'),
    'other workspace': await join(other, 'stranger', 'owner'),
    viewer: await join(ctx, 'viewer', 'viewer'),
    editor: await join(ctx, 'editor', 'editor'),
    owner: await join(ctx, 'second-owner', 'owner'),
  };
  const { rows } = await db.$client.query<{ id: string }>('select id from user_sessions where user_id = $1', [
    people['session ended'].userId,
  ]);
  for (const { id } of rows) await endSession(db, id);
  await removeMember(ctx, { userId: people['no workspace'].userId });
  // Non-members also send the workspace cookie: it only selects among memberships.
  for (const caller of ['no workspace', 'other workspace'] as const)
    people[caller].cookies.set('workspace', workspaceId);

  const [secrets, planted] = [new SecretIndex(), new SecretIndex()];
  const receive = async ({ webhook }: Workflow, body: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}/webhook/${webhook.token}`, { method: 'POST', headers, body });
    return response.headers.get('x-event-id') ?? '';
  };
  const common = { receive, sandboxUrl: sandbox.url, secrets, planted };
  const here = createTargets({ ...common, ctx, mark: MARK });
  const elsewhere = createTargets({
    ...common,
    ctx: other,
    mark: 'theirs',
    secrets: new Set(),
    planted: new Set(),
  });
  await elsewhere.connectionId();
  const revoked = await here.apiKey();
  await revokeApiKey(ctx, revoked);

  const expired = await here.apiKey();
  await db.$client.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
    expired.id,
  ]);
  const makeKey = async (scope: KeyScope, userId: string): Promise<string> => {
    const { key } = await createApiKey(ctx, { name: `${MARK} ${FOR_OWNERS}`, scope }, { userId });
    secrets.add(key);
    return key;
  };
  const own: { key: string; scope: KeyScope; role: Role }[] = [];
  for (const scope of KEY_SCOPES)
    for (const role of ROLES) own.push({ key: await makeKey(scope, people[role].userId), scope, role });

  return {
    base,
    workspaceId,
    people,
    here,
    elsewhere,
    secrets,
    planted,
    keys: {
      own,
      /** Callers without any rights, for different reasons. */
      ended: {
        revoked: revoked.key,
        expired: expired.key,
        'its maker has left': await makeKey('admin', people['no workspace'].userId),
      },
      operator: environment.PATCHBAY_API_KEY,
      otherWorkspace: (await createApiKey(other, { name: 'Theirs', scope: 'admin' })).key,
    },
    changes: await startChangeLog(db.$client),
    async stop(): Promise<void> {
      await web.stop();
      await sandbox.close();
      await db.$client.end();
      await database.drop();
    },
  };
}
