import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLaunchSettings } from './settings.ts';

/** Folders that settings name are in it. */
const root = tmpdir();
const read = (environment: Record<string, string>) => readLaunchSettings(environment, root);

test('docs/reference/settings.md: nothing set means embedded database, sandbox on, one worker, port 3000', () => {
  expect(read({})).toEqual({
    root,
    dataFolder: join(root, '.data'),
    mediaFolder: join(root, '.data', 'media'),
    host: null,
    port: 3000,
    baseUrl: null,
    needsSetupCode: false,
    databaseUrl: null,
    sandbox: { host: '127.0.0.1', port: 4010, portGiven: false, publicUrl: null },
    webProcesses: 1,
    workerProcesses: 1,
    development: false,
  });
});

test('docs/reference/settings.md: messaging settings or production switch the sandbox off, SANDBOX decides over both', () => {
  expect(read({ MESSAGING_GRAPH_URL: 'https://graph.example' }).sandbox).toBeNull();
  expect(read({ MESSAGING_CLIENT_ID: 'x' }).sandbox).toBeNull();
  expect(read({ PATCHBAY_ENV: 'production' }).sandbox).toBeNull();
  expect(read({ SANDBOX: 'off' }).sandbox).toBeNull();
  expect(read({ SANDBOX: 'on', PATCHBAY_ENV: 'production' }).sandbox).not.toBeNull();
});

test('an empty setting counts as absent', () => {
  expect(read({ DATABASE_URL: '', MESSAGING_CLIENT_ID: '', WORKER_PROCESSES: '' })).toEqual(read({}));
});

test('given values are taken, and a data folder is relative to the project', () => {
  const settings = read({
    DATABASE_URL: 'postgres://db.example/patchbay',
    BASE_URL: 'https://patchbay.example/',
    PATCHBAY_DATA_DIR: 'state',
    SANDBOX_PORT: '4999',
    WORKER_PROCESSES: '3',
  });
  expect(settings).toMatchObject({
    databaseUrl: 'postgres://db.example/patchbay',
    baseUrl: 'https://patchbay.example',
    dataFolder: join(root, 'state'),
    mediaFolder: join(root, 'state', 'media'),
    sandbox: { port: 4999, portGiven: true },
    workerProcesses: 3,
  });
});

test.each([
  [{ PORT: 'abc' }, /PORT/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ WORKER_PROCESSES: '1.5' }, /WORKER_PROCESSES: must be a whole number from 0 to 64, not "1.5"/],
  [{ WEB_PROCESSES: '0' }, /WEB_PROCESSES: must be a whole number from 1 to 64, not "0"/],
  [{ SANDBOX: 'maybe' }, /SANDBOX/],
  [{ MEDIA_STORE: 's3' }, /MEDIA_S3_BUCKET: MEDIA_STORE=s3 needs a bucket/],
  [{ MEDIA_S3_ACCESS_KEY_ID: 'x' }, /MEDIA_S3_SECRET_ACCESS_KEY: set MEDIA_S3_ACCESS_KEY_ID and/],
  [{ MEDIA_LINK_DAYS: '8' }, /MEDIA_LINK_DAYS/],
])('%o is refused by name before anything starts', (environment, message) => {
  expect(() => read(environment as unknown as Record<string, string>)).toThrow(message);
});

test('everything that is wrong is in one list: values, files, folders, names, and what contradicts', () => {
  const environment = {
    PORT: '9464',
    METRICS_PORT: '9464',
    LOG_LEVEL: 'loud',
    WEB_PROCESSES: 'many',
    AUTH_SECRET_FILE: join(root, 'no-such-file'),
    MEDIA_FOLDER: import.meta.filename,
    ENCRYPTION_KEYS: 'k1:dG9vIHNob3J0',
    SMTP_URL: 'smtp://mail.example.com',
    WORKER_PROCESES: '2',
  };
  let message = '';
  try {
    read(environment);
  } catch (error) {
    ({ message } = error as Error);
  }
  const lines = message.split('\n').slice(1);
  expect(lines.map((line) => line.trim().split(':')[0]).toSorted()).toEqual([
    'AUTH_SECRET_FILE',
    'ENCRYPTION_KEYS',
    'LOG_LEVEL',
    'MAIL_FROM',
    'MEDIA_FOLDER',
    'METRICS_PORT',
    'WEB_PROCESSES',
    'WORKER_PROCESES',
  ]);
  expect(message).toContain('Did you mean WORKER_PROCESSES?');
});
