// Web processes while no worker runs, from the missing worker to the mail.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { type MailServer, startMailServer } from '#lib/testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { standInForWorkers } from './stand-in.ts';

let database: TestDatabase;
let mail: MailServer;
let runtimes: ProcessRuntime[];
beforeAll(async () => {
  database = await createTestDatabase();
  mail = await startMailServer();
  const settings = parseSettings({
    ...mail.settings,
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  runtimes = [1, 2].map(() => openRuntime('web', settings, pino({ level: 'silent' })));
});
afterAll(async () => {
  await Promise.all(runtimes.map((runtime) => runtime.close()));
  await mail.close();
  await database.drop();
});

test('several tell the owner once, and send what a worker that died was sending', async () => {
  const [runtime] = runtimes as [ProcessRuntime];
  const { db, secrets } = runtime;
  const userId = newId();
  await db.insert(users).values({ id: userId, email: 'owner@example.com' });
  const { id: workspaceId } = await createWorkspace(db, { name: 'Shop', userId });
  await db.insert(memberships).values({ workspaceId, userId, role: 'owner' }).onConflictDoNothing();
  await db.transaction((tx) =>
    queueMail(tx, secrets, {
      kind: 'password_reset',
      to: 'guest@example.com',
      usefulSeconds: 600,
      subject: 'Reset',
      paragraphs: [],
    }),
  );
  const dead = newId();
  await db.$client.query(
    `insert into processes (id, kind, job_pool_id, heartbeat_at) values ($1::text::uuid, 'worker', $1::text, now() - interval '1 minute')`,
    [dead],
  );
  await db.$client.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute'`,
    [dead],
  );
  await Promise.all(runtimes.map((each) => standInForWorkers(each, newId(), new Date())));
  await Promise.all(runtimes.map((each) => standInForWorkers(each, newId(), new Date())));
  const recipients = mail.received.map((text) => /^To: (.*)$/m.exec(text)?.[1]?.trim());
  expect(recipients.toSorted()).toEqual(['guest@example.com', 'owner@example.com']);
});
