import { type AddressInfo, createServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { type MailServer, startMailServer } from '#lib/testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { queueMail } from './queue-mail.ts';
import { mails } from './schema.ts';
import { sendDueMails } from './send-due-mails.ts';
import { sendTestMail } from './send-test-mail.ts';

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
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await db.$client.end();
  await database.drop();
});

/** A mail server, whose mails are `received` from then on. @returns its settings */
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

test('a queued mail is sent once as text and HTML, and its content is erased', async () => {
  const settings = await startSmtp();
  await queue();
  expect(JSON.stringify(await rows())).not.toContain('secret-token');
  await Promise.all([1, 2].map(() => sendDueMails({ db, secrets, settings, logger })));
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
  await sendDueMails({ db, secrets, settings, logger });
  expect(received).toEqual([]);
});

test('a mail waits while the server is down or not set up, and is sent when it is back', async () => {
  await queue();
  await sendDueMails({ db, secrets, settings: { SMTP_URL: undefined, MAIL_FROM: undefined }, logger });
  expect(await rows()).toMatchObject([{ attempts: 0 }]);
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  await sendDueMails({ db, secrets, settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM }, logger });
  const [waiting] = await rows();
  expect(waiting).toMatchObject({ attempts: 1, sentAt: null, failedAt: null });
  expect(waiting?.problem).toContain('No connection to the mail server.');
  expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now());
  await db.update(mails).set({ dueAt: new Date(0) });
  await sendDueMails({ db, secrets, settings: await startSmtp(), logger });
  expect(received).toHaveLength(1);
});

test('a recipient that the server refuses is not tried again', async () => {
  const settings = await startSmtp({
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
    },
  });
  await queue();
  await sendDueMails({ db, secrets, settings, logger });
  const [refused] = await rows();
  expect(refused?.content).toBeNull();
  expect(refused?.failedAt).not.toBeNull();
  expect(refused?.problem).toContain('No such mailbox');
});

test('a mail that is of no use any more is not sent', async () => {
  const settings = await startSmtp();
  await queue(-1);
  await sendDueMails({ db, secrets, settings, logger });
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
