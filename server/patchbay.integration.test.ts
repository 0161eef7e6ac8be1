// An installation operated from its machine: monitored, backed up, lost, restored, recovered.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { createFolderStore } from '#lib/messaging/media/folder-store.ts';
import { newMediaKey } from '#lib/messaging/media/media-store.ts';
import { findFile } from '#lib/testing/start-process.ts';
import { Installation, type Start } from './testing/installation.ts';
import { waitingFlow } from './testing/waiting-flow.ts';

const UP_MS = 180_000;
const root = join(import.meta.dirname, '..');
const place = mkdtempSync(join(tmpdir(), 'patchbay-operator-'));
const [first, second, saved] = [join(place, 'first'), join(place, 'second'), join(place, 'saved')];
const apiKey = 'an-api-key-of-a-test-0123456789abcdef';
let environment: Record<string, string | undefined>;
let port: number;
let metricsPort: number;
let running: { installation: Installation; start: Start } | undefined;

beforeAll(async () => {
  chmodSync(place, 0o711);
  [port, metricsPort] = [await findFreePort(), await findFreePort()];
  environment = {
    ...process.env,
    PORT: String(port),
    SANDBOX: 'off',
    DATABASE_URL: '',
    BASE_URL: '',
    PATCHBAY_API_KEY: apiKey,
    WORKER_PROCESSES: '1',
  };
  await start(first);
});
afterAll(async () => {
  await stop();
  rmSync(place, { recursive: true, force: true });
});

async function start(folder: string): Promise<void> {
  const installation = new Installation(folder, environment);
  const started = installation.start({ METRICS_PORT: String(metricsPort), LOG_FORMAT: 'json' });
  running = { installation, start: started };
  await vi.waitFor(async () => expect((await fetch(url('/readyz'))).status).toBe(200), {
    timeout: UP_MS,
    interval: 100,
  });
}

async function stop(): Promise<void> {
  running?.start.bootstrap.kill('SIGTERM');
  await running?.start.exited;
  running = undefined;
}

const url = (path: string): string => `http://localhost:${port}${path}`;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** `patchbay …` for the installation of a folder. */
const patchbay = (folder: string, ...parameters: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, findFile('server/patchbay.ts')), ...parameters],
      { env: { ...environment, NODE_ENV: 'production', PATCHBAY_DATA_DIR: folder } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

/** @param reason the expected standard error */
const failure = (reason: string): object => ({ code: 1, stderr: expect.stringContaining(reason) as unknown });

async function api<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url(`/api/v1${path}`), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Answer;
}

const keysOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { ENCRYPTION_KEYS: string })
    .ENCRYPTION_KEYS;

const PICTURE = Buffer.from('a picture, as far as anybody knows');

/** Stores a file like the task “Get media”. @returns its link */
async function storePicture(folder: string): Promise<string> {
  const path = join(place, 'picture');
  writeFileSync(path, PICTURE);
  const file = { key: newMediaKey(new Date()), filename: 'Küche.jpg', mimeType: 'image/jpeg' };
  const links = { secrets: createSecretBox(keysOf(folder)), baseUrl: url('') };
  const store = createFolderStore(join(folder, 'media'), links);
  const sha256 = createHash('sha256').update(PICTURE).digest('hex');
  await store.put(file, { path, bytes: PICTURE.length, sha256 });
  return store.link(file, new Date(Date.now() + 3_600_000));
}

const download = async (link: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(link)).arrayBuffer());

test('a run that waits at the backup ends, and links to files work, after the installation was lost and restored', async () => {
  const workflow = await api<{ webhook: { production_url: string } }>('/workflows', waitingFlow('Waits', 20));
  const hook = workflow.webhook.production_url;
  const post = (): Promise<Response> =>
    fetch(hook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"who": "Guest"}',
    });
  const eventId = (await post()).headers.get('X-Event-Id') ?? '';
  const { run_id: runId } = await api<{ run_id: string }>(`/events/${eventId}`);
  const status = async (): Promise<string> => (await api<{ status: string }>(`/runs/${runId}`)).status;
  await expect.poll(status).toBe('waiting');

  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/patchbay_webhooks_total\{reason="accepted",process="web",version="[^"]+"\} 1\n/);

  const link = await storePicture(first);
  expect(await download(link)).toEqual(PICTURE);

  const made = await patchbay(first, '--json', 'backup', saved);
  expect(JSON.parse(made.stdout)).toMatchObject({ files: 1, secrets: true });
  expect(await patchbay(first, 'backup', saved)).toMatchObject(failure('is not empty'));
  expect(await patchbay(first, 'restore', saved)).toMatchObject(failure('is running'));
  await stop();
  rmSync(first, { recursive: true });

  expect(await patchbay(second, 'restore', saved)).toMatchObject({ code: 0 });
  await start(second);
  await expect.poll(status, { timeout: UP_MS }).toBe('succeeded');
  expect((await post()).status).toBe(200);
  expect(await download(link)).toEqual(PICTURE);
});

test('the doctor finds nothing wrong while Patchbay runs, and what is wrong with its keys', async () => {
  const healthy = await patchbay(second, '--json', 'doctor');
  expect(JSON.parse(healthy.stdout)).toContainEqual({ about: 'Workers', state: 'ok', text: '1 alive' });
  expect(healthy.code).toBe(0);
  environment['ENCRYPTION_KEYS'] = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  try {
    const wrong = await patchbay(second, 'doctor');
    expect(wrong.stdout).toContain('✗ Encryption keys: The encryption keys do not open');
    expect(wrong.code).toBe(1);
  } finally {
    delete environment['ENCRYPTION_KEYS'];
  }
});

test('every line of the log is JSON, a failed run is one with its ids, and what libraries print, too', async () => {
  const { webhook } = await api<{ webhook: { production_url: string } }>('/workflows', {
    name: 'Fails',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      { id: 2, type: 'http_request', name: 'Call', settings: { url: 'http://127.0.0.1:9/', method: 'GET' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const answer = await fetch(webhook.production_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"who": "Somebody whom no log names"}',
  });
  const eventId = answer.headers.get('X-Event-Id');
  const readLines = () =>
    (running?.start.output() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect
    .poll(() => readLines().find(({ msg }) => msg === 'a run failed'))
    .toMatchObject({
      level: 40,
      event_id: eventId,
      run_id: expect.any(String) as string,
      workflow_id: expect.any(String) as string,
      task_id: expect.any(Number) as number,
      error_code: expect.any(String) as string,
    });
  expect(running?.start.output()).not.toContain('Somebody whom no log names');
  expect(readLines().map(({ msg }) => msg)).toContain(`Patchbay is ready at http://localhost:${port}`);
});

test('an API key is created by the command line, and works', async () => {
  const made = await patchbay(second, '--json', 'api-key', 'create', 'Deployments', '--scope', 'read');
  const { key, scope } = JSON.parse(made.stdout) as { key: string; scope: string };
  expect(scope).toBe('read');
  const ask = (path: string, method = 'GET') =>
    fetch(url(`/api/v1${path}`), { method, headers: { Authorization: `Bearer ${key}` } });
  expect((await ask('/workflows')).status).toBe(200);
  expect((await ask('/api-keys')).status).toBe(403);
  const late = await patchbay(second, 'api-key', 'create', 'Late', '--expires-at', '2020-01-01T00:00:00Z');
  expect(late).toMatchObject({ code: 1, stdout: '' });
});

test('an owner is made, and gets a new password', async () => {
  const made = await patchbay(second, '--json', 'create-owner', 'Owner@example.com');
  expect(JSON.parse(made.stdout)).toMatchObject({ email: 'owner@example.com', isNew: true });
  const reset = await patchbay(second, 'reset-password', 'owner@example.com');
  expect(reset.stdout).toMatch(/^owner@example\.com has a new password.*\nPassword: \S{20}\n$/);
  const removed = await patchbay(second, '--json', 'remove-two-factor', 'Owner@example.com', '--passkeys');
  const nothing = { removed: false, deletedPasskeys: 0, passkeys: 0 };
  expect(JSON.parse(removed.stdout)).toEqual({ email: 'owner@example.com', ...nothing });
  const unknown = await patchbay(second, 'reset-password', 'nobody@example.com');
  expect(unknown).toMatchObject(failure('nobody@example.com'));
  const malformed = await patchbay(second, 'create-owner', 'nobody');
  expect(malformed).toMatchObject({ code: 1, stderr: 'Enter an email address such as you@example.com.\n' });
});

test('an installation that is not there is named, and nothing is made', async () => {
  const nowhere = join(place, 'nowhere');
  expect(await patchbay(nowhere, 'doctor')).toMatchObject(failure(`Nothing is installed in ${nowhere}`));
  expect(existsSync(nowhere)).toBe(false);
});

test('the encryption key is replaced: everything is sealed again by a command, and the old key can go', async () => {
  const { webhook } = await api<{ webhook: { production_url: string } }>(
    '/workflows',
    waitingFlow('Kept', 1),
  );
  const [oldKeys, newKeys] = [keysOf(second), `k2:${Buffer.alloc(32, 2).toString('base64')}`];
  const rotate = async (): Promise<unknown> => {
    const { stdout, stderr, code } = await patchbay(second, '--json', 'rotate-keys');
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { total: number }).total;
  };
  const restart = async (keys: string): Promise<void> => {
    await stop();
    environment['ENCRYPTION_KEYS'] = keys;
    await start(second);
  };
  try {
    await restart(`${newKeys},${oldKeys}`);
    // The tokens of the three workflows above.
    expect(await rotate()).toBe(3);
    expect(await rotate()).toBe(0);
    await restart(newKeys);
    expect((await patchbay(second, 'doctor')).code).toBe(0);
    const answer = await fetch(webhook.production_url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"who": "Guest"}',
    });
    expect(answer.status).toBe(200);
    const shown = await api<{ data: { webhook: { production_url: string } }[] }>('/workflows');
    expect(JSON.stringify(shown)).toContain(webhook.production_url);

    environment['ENCRYPTION_KEYS'] = oldKeys;
    const refused = await patchbay(second, 'migrate');
    expect(refused).toMatchObject(failure('ENCRYPTION_KEYS does not open what this database holds'));
  } finally {
    environment['ENCRYPTION_KEYS'] = newKeys;
  }
});
