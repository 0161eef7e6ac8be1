// Two installations, staging and production, and the commands that copy workflows between them.
import { type ChildProcess, execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApiClient } from '#lib/api/client/create-api-client.ts';
import { findFile } from '#lib/testing/start-process.ts';
import { API_KEY } from '../../testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from '../../testing/test-product.ts';

const PATIENCE_MS = 90_000;
const root = join(import.meta.dirname, '..', '..', '..');
const place = mkdtempSync(join(tmpdir(), 'patchbay-files-'));
const files = join(place, 'workflows');
const SECRET = 'planted-secret-of-staging';

let staging: TestProduct;
let production: TestProduct;

beforeAll(async () => {
  [staging, production] = await Promise.all([
    startTestProduct({ sandbox: false }),
    startTestProduct({ sandbox: false }),
  ]);
  await createConnection(staging, 'Shop staging', '1001');
  await createConnection(production, 'Shop', '2002');
});
afterAll(async () => {
  await Promise.all([staging.stop(), production.stop()]);
  rmSync(place, { recursive: true, force: true });
});

const clientOf = ({ base: url }: TestProduct) => createApiClient({ url, apiKey: API_KEY });

async function createConnection(at: TestProduct, name: string, business_account_id: string): Promise<void> {
  const body = { name, access_token: `token-of-${name.replace(' ', '-')}`, business_account_id };
  expect((await clientOf(at).POST('/connections', { body })).response.status).toBe(201);
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const patchbay = (
  { base: url }: Pick<TestProduct, 'base'>,
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> & { child: ChildProcess } => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(
    process.execPath,
    [join(root, findFile('server/patchbay.ts')), ...parameters],
    { env: { ...process.env, PATCHBAY_URL: url, PATCHBAY_API_KEY: API_KEY, ...environment } },
    (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  return Object.assign(promise, { child });
};

const connectionsOf = async (at: TestProduct) => {
  const { data } = await clientOf(at).GET('/connections');
  return data?.data ?? [];
};

const workflowOf = async (at: TestProduct, name: string) => {
  const { data } = await clientOf(at).GET('/workflows');
  return data?.data.find((workflow) => workflow.name === name);
};

async function createOnStaging(): Promise<void> {
  const [shop] = await connectionsOf(staging);
  const body = {
    name: 'Order updates',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      {
        id: 2,
        type: 'http_request',
        name: 'Ask the shop',
        settings: {
          url: 'https://example.com',
          headers: [{ name: 'Authorization', value: `Bearer ${SECRET}` }],
        },
        disabled: true,
      },
      {
        id: 3,
        type: 'messaging_business',
        name: 'Tell',
        settings: {
          action: 'send_text',
          app_connection_id: shop?.id,
          phone_number_id: '9001',
          recipient: '15550001111',
          message_text: 'Hello',
        },
        disabled: true,
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  };
  const response = await fetch(`${staging.base}/api/v1/workflows`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(201);
}

test('a workflow goes from staging to production as a file, and then there is nothing to change', async () => {
  await createOnStaging();
  expect(await patchbay(staging, ['export', '--all', '--folder', files])).toMatchObject({ code: 0 });
  expect(globSync('*', { cwd: files })).toEqual(['order-updates.json']);
  const path = join(files, 'order-updates.json');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"connection:Shop staging"');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain((await workflowOf(staging, 'Order updates'))?.webhook.token);

  const missing = await patchbay(production, ['apply', files]);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('--connection') as unknown });

  const apply = ['apply', files, '--connection', 'Shop staging=Shop'];
  const planned = await patchbay(production, [...apply, '--dry-run', '--exit-code']);
  expect(planned).toMatchObject({ code: 2, stderr: '' });
  expect(planned.stdout).toContain('Order updates: would create');
  expect(planned.stdout).toContain('+      "type": "inbound_webhook"');
  expect(await workflowOf(production, 'Order updates')).toBeUndefined();

  const created = await patchbay(production, [...apply, '--json']);
  expect(JSON.parse(created.stdout)).toMatchObject([
    { action: 'create', notes: ['Task 3: select the phone number, which is another one here.'] },
  ]);
  const [shop] = await connectionsOf(production);
  const made = await workflowOf(production, 'Order updates');
  expect(made?.tasks[2]?.settings).toEqual({
    action: 'send_text',
    app_connection_id: shop?.id,
    recipient: '15550001111',
    message_text: 'Hello',
  });
});

test('what production has of its own stays: its secret and its phone number', async () => {
  const made = await workflowOf(production, 'Order updates');
  const tasks = JSON.parse(JSON.stringify(made?.tasks).replace('Bearer ••••••', 'Bearer of-production')) as {
    id: number;
    settings: object;
  }[];
  Object.assign(tasks[2]?.settings ?? {}, { phone_number_id: '9002' });
  const saved = await fetch(`${production.base}/api/v1/workflows/${made?.id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...made, tasks }),
  });
  expect(saved.status, await saved.text()).toBe(200);
  const before = await workflowOf(production, 'Order updates');

  const apply = ['apply', files, '--connection', 'Shop staging=Shop'];
  const same = await patchbay(production, [...apply, '--dry-run', '--exit-code']);
  expect(same).toEqual({ code: 0, stdout: 'Order updates: unchanged\n', stderr: '' });

  const path = join(files, 'order-updates.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"Hello"', '"Hello there"'));
  const planned = await patchbay(production, [...apply, '--dry-run']);
  expect(planned.stdout.split('\n').filter((line) => /^[+-] /.test(line))).toEqual([
    '-        "message_text": "Hello",',
    '+        "message_text": "Hello there",',
  ]);
  expect(await patchbay(production, [...apply, '--publish'])).toMatchObject({
    code: 0,
    stdout: 'Order updates: updated and published\n',
  });
  const after = await workflowOf(production, 'Order updates');
  expect(after?.published_version).toBe(1);
  expect(after?.tasks[1]).toEqual(before?.tasks[1]);
  expect(after?.tasks[2]?.settings).toMatchObject({ phone_number_id: '9002', message_text: 'Hello there' });
  expect((await patchbay(production, [...apply, '--publish'])).stdout).toBe('Order updates: unchanged\n');
  expect((await patchbay(production, ['workflows', 'list'])).stdout).toContain('version 1  Order updates');
});

test('a tail prints the webhook that comes; it can be replayed, and its run retried', async () => {
  const hook = (await workflowOf(production, 'Order updates'))?.webhook.production_url ?? '';
  const post = async (): Promise<string> =>
    (
      await fetch(hook, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    ).headers.get('X-Event-Id') ?? '';
  const sent = new Set<string>();
  const tail = patchbay(production, [
    'events',
    'tail',
    '--workflow',
    'Order updates',
    '--limit',
    '1',
    '--json',
  ]);
  const ended = { value: false };
  void tail.then(() => (ended.value = true));
  await vi.waitFor(
    async () => {
      sent.add(await post());
      expect(ended.value).toBe(true);
    },
    { timeout: PATIENCE_MS, interval: 1000 },
  );
  const seen = JSON.parse((await tail).stdout) as { id: string; outcome: string };
  expect(sent).toContain(seen.id);

  const refused = await patchbay(production, ['events', 'replay', seen.id]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).not.toContain('    at ');
  const replayed = await patchbay(production, ['events', 'replay', seen.id, '--repeat', '--json']);
  expect(JSON.parse(replayed.stdout)).toMatchObject({ replay_of: seen.id });

  const { stdout } = await patchbay(production, ['runs', 'list', '--limit', '1', '--json']);
  const [run] = JSON.parse(stdout) as { id: string; status: string }[];
  await expect
    .poll(async () => {
      const { data } = await clientOf(production).GET('/runs/{id}', {
        params: { path: { id: run?.id ?? '' } },
      });
      return data?.status;
    })
    .toBe('succeeded');
  const retried = await patchbay(production, ['runs', 'retry', run?.id ?? '', '--from-start', '--json']);
  expect(JSON.parse(retried.stdout)).toMatchObject({ retry_of: run?.id });
});

test('a span of time is written into a file that is only there when it is complete', async () => {
  const out = join(place, 'events.jsonl');
  const done = await patchbay(production, ['export', 'events', '--format', 'jsonl', '--out', out]);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const rows = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(done.stdout).toBe(`${rows.length} rows → ${out}\n`);
  expect(rows[0]).toMatchObject({ outcome: 'triggered', workflow_name: 'Order updates' });

  const printed = await patchbay(production, [
    'export',
    'runs',
    '--from',
    '2020-01-01',
    '--to',
    '2020-01-02',
  ]);
  expect(printed).toMatchObject({ code: 0, stderr: '0 rows.\n' });
  expect(printed.stdout).toMatch(/^id,created_at,[\w,]+\r\n$/);

  const file = join(place, 'runs.csv');
  const wrong = await patchbay(production, ['export', 'runs', '--from', 'yesterday', '--out', file]);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('from: Enter a date such as 2026-11-01');
  expect(globSync('runs.csv*', { cwd: place })).toEqual([]);
  const nowhere = await patchbay(production, ['export', '--all']);
  expect(nowhere).toMatchObject({ code: 1, stderr: 'Add --folder, where the files go.\n' });
});

test('the identity provider is checked', async () => {
  const { code, stdout } = await patchbay(staging, ['sign-in', 'check']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'No identity provider is set up.\n' });
});

test('how people sign in is printed, and changed from a file', async () => {
  const shown = await patchbay(staging, ['--json', 'sign-in', 'show']);
  const rules = JSON.parse(shown.stdout) as object;
  expect(rules).toEqual({
    requires_identity: false,
    trusts_emails: false,
    access_contact: '',
    break_glass_owners: [],
    groups: null,
    two_factor_required: false,
  });
  const file = join(place, 'sign-in.json');
  const groups = { group_roles: [{ group: 'builders', role: 'editor' }], default_role: null };
  writeFileSync(file, JSON.stringify({ ...rules, groups, access_contact: 'The service desk' }));

  const planned = await patchbay(staging, ['sign-in', 'apply', file, '--dry-run']);
  expect(planned).toMatchObject({ code: 0, stdout: 'access_contact: would change\ngroups: would change\n' });
  expect((await patchbay(staging, ['--json', 'sign-in', 'show'])).stdout).toBe(shown.stdout);

  expect(await patchbay(staging, ['sign-in', 'apply', file])).toMatchObject({ code: 0, stderr: '' });
  expect((await patchbay(staging, ['sign-in', 'show'])).stdout).toContain('group builders: editor');
  expect((await patchbay(staging, ['sign-in', 'apply', file])).stdout).toBe('unchanged\n');

  writeFileSync(file, JSON.stringify({ requires_identity: true }));
  expect(await patchbay(staging, ['sign-in', 'apply', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No identity provider is set up') as unknown,
  });
});

test('all files are checked before the first one is applied, and everything wrong is in one list', async () => {
  const folder = join(place, 'by-hand');
  mkdirSync(folder);
  const write = (name: string, tasks: object[], edges: object[]) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ name, tasks, edges }));
  const trigger = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };
  write('a', [trigger], []);
  write(
    'b',
    [
      { ...trigger, settings: { response_type: 'later' } },
      { id: 2, type: 'set_variable' },
    ],
    [],
  );
  write('c', [trigger], [{ from: 1, to: 3 }]);
  const [b, c] = [join(folder, 'b.json'), join(folder, 'c.json')];
  for (const more of [['--dry-run'], []]) {
    const { code, stdout, stderr } = await patchbay(production, ['apply', folder, ...more]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Nothing was changed.\n');
    expect(stderr).toContain(`${b}: tasks[1].type: There is no task type "set_variable".\n`);
    expect(stderr).toContain(
      `${b}: tasks[0].settings.response_type: This must be one of "immediate", "redirect", "after_workflow".\n`,
    );
    expect(stderr).toContain(`${c}: edges[0].to: There is no task 3.\n`);
  }
  expect(await workflowOf(production, 'a')).toBeUndefined();
});

test('a reader that ends early, such as head, is no error', async () => {
  const hook = (await workflowOf(production, 'Order updates'))?.webhook.production_url ?? '';
  const unread = (...parameters: string[]): Promise<Ended> => {
    const ended = patchbay(production, parameters);
    ended.child.stdout?.destroy();
    return ended;
  };
  expect(await unread('workflows', 'list')).toMatchObject({ code: 0, stderr: '' });
  const tail = unread('events', 'tail', '--json');
  const ended = { value: false };
  void tail.then(() => (ended.value = true));
  await vi.waitFor(
    async () => {
      await fetch(hook, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
      expect(ended.value).toBe(true);
    },
    { timeout: PATIENCE_MS, interval: 1000 },
  );
  expect(await tail).toMatchObject({ code: 0, stderr: '' });
});

test('errors say what to do', async () => {
  const wrong = await patchbay(production, ['workflows', 'list'], { PATCHBAY_API_KEY: 'wrong' });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toBe(
    `PATCHBAY_API_KEY: This API key is invalid or was revoked. An owner creates keys in Settings → API keys. ${production.base}/settings/api-keys\n`,
  );
  const { data: reader } = await clientOf(production).POST('/api-keys', {
    body: { name: 'Reader', scope: 'read' },
  });
  const only = await patchbay(production, ['workflows', 'publish', 'Order updates'], {
    PATCHBAY_API_KEY: reader?.key ?? '',
  });
  expect(only.stderr).toBe(
    'This API key has the scope "read"; this needs "edit". An owner creates keys in Settings → API keys.\n',
  );
  const none = await patchbay(production, ['runs', 'list'], { PATCHBAY_API_KEY: '' });
  expect(none.stderr).toMatch(/^Set PATCHBAY_API_KEY\./);
  const nobody = await patchbay({ base: 'http://localhost:1' }, ['events', 'list']);
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('Set PATCHBAY_URL') as unknown });
  const unknown = await patchbay(production, ['export', 'Nothing', '--folder', files]);
  expect(unknown.stderr).toBe('There is no workflow “Nothing”. `patchbay workflows list` lists them.\n');
  const placeholder = await patchbay(production, ['runs', 'list'], { PATCHBAY_API_KEY: 'pb_…' });
  expect(placeholder.stderr).toMatch(/^PATCHBAY_API_KEY is not an API key\. An owner creates API keys/);
  const folder = join(place, 'no-files');
  mkdirSync(join(folder, 'a.json'), { recursive: true });
  const unreadable = await patchbay(production, ['apply', folder]);
  expect(unreadable.stderr).toMatch(/^\S+a\.json cannot be read: .+\n$/);
  const unwritable = await patchbay(production, [
    'export',
    '--all',
    '--folder',
    join(files, 'order-updates.json'),
  ]);
  expect(unwritable.stderr).toMatch(/^\S+order-updates\.json cannot be written: .+\n$/);
});
