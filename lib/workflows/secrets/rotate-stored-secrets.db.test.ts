import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { twoFactor } from '#lib/identity/schema/sign-in.ts';
import { totpBinding } from '#lib/identity/two-factor/context.ts';
import { sealLogin } from '#lib/messaging/connections/login/login.ts';
import { insertConnection } from '#lib/messaging/connections/create-connection.ts';
import { connectionLogins } from '#lib/messaging/schema/connections.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { createWorkflow } from '../create-workflow.ts';
import { eraseCustomer } from '../erasure/erase-customer.ts';
import { getWorkflow } from '../load-workflow.ts';
import { setSecret } from './secrets.ts';
import { rotateStoredSecrets, SEALED_COLUMNS } from './rotate-stored-secrets.ts';

const key = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const OLD = key('k0', 1);
const NEW = key('k1', 2);
/** More than a batch. */
const [TASKS, HEADERS] = [11, 20];

let context: TestContext;
let ctx: ActorContext;
let workflowId: string;
beforeAll(async () => {
  context = await createTestContext();
  ctx = { ...context.ctx, secrets: createSecretBox(OLD) };
  const tasks = Array.from({ length: TASKS }, (_, task) => ({
    id: task + 2,
    type: 'http_request',
    settings: {
      url: 'https://example.com',
      headers: Array.from({ length: HEADERS }, (__, row) => ({
        name: `X-${row}-Api-Key`,
        value: `secret ${task} ${row}`,
      })),
    },
  }));
  const made = await createWorkflow(ctx, {
    name: 'Secrets',
    tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }, ...tasks],
    edges: tasks.map(({ id }) => ({ from: 1, to: id })),
  });
  workflowId = made.id;
  const tokens = {
    accessToken: 'access',
    refreshToken: 'refresh',
    expiresInSeconds: null,
    refreshExpiresInSeconds: null,
  };
  await ctx.db.transaction((tx) =>
    insertConnection(ctx, tx, { name: 'Shop', tokens, scopes: [], businessAccount: null }),
  );
  const id = newId();
  await ctx.db.insert(connectionLogins).values({
    id,
    workspaceId: ctx.workspaceId,
    userId: 'somebody',
    secretsEncrypted: sealLogin(ctx, id, { step: 'started', codeVerifier: 'verifier' }),
    expiresAt: new Date(),
  });
  await setSecret(ctx, { name: 'shop_key', value: 'a value' });
  await eraseCustomer(ctx, { id: '15550100199' });
  const destinationId = newId();
  await ctx.db.$client.query(
    `insert into alert_destinations (id, workspace_id, name, config, secret_encrypted, kinds)
     values ($1, $2, 'Ops', '{}', $3, '{}')`,
    [
      destinationId,
      ctx.workspaceId,
      ctx.secrets.seal('a secret', [ctx.workspaceId, 'alert_webhook', destinationId]),
    ],
  );
  const userId = newId();
  await ctx.db.insert(users).values({ id: userId, email: 'owner@example.com' });
  await ctx.db.insert(twoFactor).values({ userId, secret: ctx.secrets.seal('a key', totpBinding(userId)) });
  await ctx.db.transaction((tx) =>
    queueMail(tx, ctx.secrets, {
      kind: 'invitation',
      to: 'guest@example.com',
      usefulSeconds: 3600,
      subject: 'Invitation',
      paragraphs: ['Come in.'],
    }),
  );
});
afterAll(() => context.end());

test('every encrypted column of the database is known', async () => {
  const { rows } = await ctx.db.$client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%encrypted'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(
    SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
  );
});

test('a rotation that was interrupted is finished by the next one; then the old key can be dropped', async () => {
  const pool = ctx.db.$client;
  const both = createSecretBox(`${NEW},${OLD}`);
  const interrupt = () => {
    throw new Error('interrupted');
  };
  await expect(rotateStoredSecrets(pool, both, interrupt)).rejects.toThrow('interrupted');
  const counts = Object.fromEntries(
    (await rotateStoredSecrets(pool, both)).map(({ column, rotated }) => [column, rotated]),
  );
  expect(counts).toEqual({
    'webhook_tokens.token_encrypted': 0,
    'connections.access_token_encrypted': 1,
    'connections.refresh_token_encrypted': 1,
    'connections.receiver_token_encrypted': 1,
    'connection_logins.secrets_encrypted': 1,
    'setting_secrets.value_encrypted': TASKS * HEADERS,
    'named_secrets.value_encrypted': 1,
    'erasure_keys.key_encrypted': 1,
    'erasures.subject_encrypted': 1,
    'mails.content_encrypted': 1,
    'alert_destinations.secret_encrypted': 1,
    'two_factor.secret_encrypted': 1,
  });
  const again = await rotateStoredSecrets(pool, createSecretBox(NEW));
  expect(again.every(({ rotated }) => rotated === 0)).toBe(true);
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ sealed: string }>(`select ${column} as sealed from ${table}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ sealed }) => !sealed.startsWith('v1.k1.'))).toEqual([]);
  }
  const { webhook } = await getWorkflow({ ...ctx, secrets: createSecretBox(NEW) }, { id: workflowId });
  expect(webhook.token).not.toBe('');
});
