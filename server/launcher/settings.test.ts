import { expect, test } from 'vitest';
import { readLaunchSettings } from './settings.ts';

const read = (environment: Record<string, string>) => readLaunchSettings(environment, '/srv/patchbay');

test('README.md, "Settings": nothing set means embedded database, sandbox on, one worker, port 3000', () => {
  expect(read({})).toEqual({
    root: '/srv/patchbay',
    dataFolder: '/srv/patchbay/.data',
    host: null,
    port: 3000,
    baseUrl: null,
    needsSetupCode: false,
    databaseUrl: null,
    sandbox: { host: '127.0.0.1', port: 4010, portGiven: false, publicUrl: null },
    webProcesses: 1,
    workerProcesses: 1,
  });
});

test('README.md, "Settings": messaging settings or production switch the sandbox off, SANDBOX decides over both', () => {
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
    dataFolder: '/srv/patchbay/state',
    sandbox: { port: 4999, portGiven: true },
    workerProcesses: 3,
  });
});

test.each([
  [{ PORT: 'abc' }, /PORT/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ WORKER_PROCESSES: '1.5' }, /WORKER_PROCESSES must be a whole number from 0 to 64, not "1.5"/],
  [{ WEB_PROCESSES: '0' }, /WEB_PROCESSES must be a whole number from 1 to 64, not "0"/],
  [{ SANDBOX: 'maybe' }, /SANDBOX/],
])('%o is refused by name before anything starts', (environment, message) => {
  expect(() => read(environment as unknown as Record<string, string>)).toThrow(message);
});
