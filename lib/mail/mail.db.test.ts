import { type AddressInfo, createServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { makeJobsDue, workOff } from '#lib/core/queue/testing/work-off.ts';
import { type MailServer, startMailServer } from '#lib/testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { queueMail, SEND_MAIL } from './queue-mail.ts';
import { mails } from './schema.ts';
import { adoptMails, createMailHandler, sendTestMail } from './send-mail.ts';
import type { MailSettings } from './transport.ts';

const logger = pino({ level: 'silent' });
const secrets = createSecretBox(`k1:${randomBytes(32).toString('base64')}`);
const MAIL_FROM = 'Patchbay <patchbay@example.com>';

let database: TestDatabase;
let db: Database;
let received: string[];
const servers: MailServer[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
beforeEach(async () => {
  received = [];
  await db.delete(mails);
  await db.$client.query('delete from graphile_worker._private_jobs');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await db.$client.end();
  await database.drop();
});

/** A mail server, whose mails are in `received` afterwards. @returns its settings */
async function startSmtp(options: SMTPServerOptions = {}): Promise<MailServer['settings']> {
  const server = await startMailServer(options);
  servers.push(server);
  received = server.received;
  return server.settings;
}

const queue = (usefulSeconds = 60) =>
  db.transaction((tx) =>
    queueMail(tx, secrets, {
      kind: 'invitation',
      to: 'anna@example.com',
      usefulSeconds,
      subject: 'Join “Books & more”',
      paragraphs: ['You are invited to <Books & more>.'],
      link: { label: 'Accept', url: 'https://patchbay.example/invitations/secret-token' },
    }),
  );
const rows = () => db.select().from(mails);
const send = (settings: MailSettings) =>
  workOff(db.$client, createMailHandler({ db, secrets, settings, logger }));
const makeDue = () => makeJobsDue(db.$client, SEND_MAIL);
const countJobs = async () => (await db.$client.query('select from graphile_worker._private_jobs')).rowCount;

test('a queued mail is sent once as text and HTML, and its content is erased', async () => {
  const settings = await startSmtp();
  await queue();
  expect(JSON.stringify(await rows())).not.toContain('secret-token');
  await Promise.all([1, 2].map(() => send(settings)));
  expect(received).toHaveLength(1);
  expect(received[0]).toContain('To: anna@example.com');
  expect(received[0]).toContain('https://patchbay.example/invitations/secret-token');
  expect(received[0]).toContain('&lt;Books &amp; more&gt;');
  const [sent] = await rows();
  expect(sent).toMatchObject({ content: null, failedAt: null, problem: null });
  expect(sent?.sentAt).not.toBeNull();
});

test('a mail of a transaction that is rolled back is never sent', async () => {
  const settings = await startSmtp();
  await expect(
    db.transaction(async (tx) => {
      await queueMail(tx, secrets, {
        kind: 'invitation',
        to: 'anna@example.com',
        usefulSeconds: 60,
        subject: 'x',
        paragraphs: [],
      });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await send(settings);
  expect(received).toEqual([]);
});

test('a mail waits while the server is down or not set up, and is sent when it is back', async () => {
  await queue();
  await send({ SMTP_URL: undefined, MAIL_FROM: undefined });
  expect(await rows()).toMatchObject([{ attempts: 0 }]);
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  await send({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM });
  const [waiting] = await rows();
  expect(waiting).toMatchObject({ attempts: 1, sentAt: null, failedAt: null });
  expect(waiting?.problem).toContain('No connection to the mail server.');
  const settings = await startSmtp();
  await send(settings);
  expect(received).toEqual([]);
  await makeDue();
  await send(settings);
  expect(received).toHaveLength(1);
  expect(await countJobs()).toBe(0);
});

test('a recipient that the server refuses is not tried again', async () => {
  const settings = await startSmtp({
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
    },
  });
  await queue();
  await send(settings);
  const [refused] = await rows();
  expect(refused?.content).toBeNull();
  expect(refused?.failedAt).not.toBeNull();
  expect(refused?.problem).toContain('No such mailbox');
  expect(await countJobs()).toBe(0);
});

test('a mail that is of no use any more is not sent', async () => {
  const settings = await startSmtp();
  await queue(-1);
  await send(settings);
  expect(received).toEqual([]);
  const [late] = await rows();
  expect(late?.content).toBeNull();
  expect(late?.failedAt).not.toBeNull();
});

test('the test mail says in plain words that the password is wrong, and does not repeat it', async () => {
  const settings = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(_auth, _session, done) {
      done(Object.assign(new Error('Bad credentials'), { responseCode: 535 }));
    },
  });
  const SMTP_URL = settings.SMTP_URL.replace('smtp://', 'smtp://anna:the-password@');
  const failing = sendTestMail({ SMTP_URL, MAIL_FROM }, { to: 'anna@example.com' });
  await expect(failing).rejects.toThrow(/refused the user name or password.*Bad credentials/);
  await expect(failing).rejects.not.toThrow('the-password');
});

test('a mail whose record fails because the database is away is recorded when it is back, and not sent again', async () => {
  const settings = await startSmtp();
  await queue();
  let failures = 0;
  const broken = new Proxy(db, {
    get(target, name: keyof Database) {
      if (name !== 'update' || (failures += 1) > 2) return target[name];
      return () => {
        throw Object.assign(new Error('The database is starting up.'), { code: '57P03' });
      };
    },
  });
  await workOff(db.$client, createMailHandler({ db: broken, secrets, settings, logger }));
  expect(failures).toBe(3);
  expect(received).toHaveLength(1);
  expect((await rows())[0]?.sentAt).not.toBeNull();
  expect(await countJobs()).toBe(0);
});

test('a mail that a process of 0.2.0 queued is sent once, unless a worker of that version has it', async () => {
  const settings = await startSmtp();
  await queue();
  await queue();
  await db.$client.query('delete from graphile_worker._private_jobs');
  const [first, second] = await rows();
  await db
    .update(mails)
    .set({ dueAt: new Date(0) })
    .where(eq(mails.id, first?.id ?? ''));
  await db
    .update(mails)
    .set({ dueAt: new Date(Date.now() + 600_000) })
    .where(eq(mails.id, second?.id ?? ''));
  await Promise.all([1, 2].map(() => adoptMails(db)));
  expect(await countJobs()).toBe(1);
  await send(settings);
  expect(received).toHaveLength(1);
  expect((await rows()).map(({ sentAt }) => sentAt === null).toSorted()).toEqual([false, true]);
});
