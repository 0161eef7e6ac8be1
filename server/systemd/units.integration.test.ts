// `patchbay-web@` and `patchbay-worker@` started like by systemd: their command, environment, account and sandbox. It requires
// root.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from '../launcher/build.ts';
import { root } from '../root.ts';
import { type StartedUnit, startUnit, stateFolder } from './testing/unit.ts';

const unit = (part: string): string => join(root, 'ops', 'systemd', `patchbay-${part}@.service`);
const isPossible = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

describe.runIf(isPossible)('units of systemd', () => {
  let database: TestDatabase;
  let db: Database;
  let state: string;

  beforeAll(async () => {
    await buildIfNeeded(root, () => undefined, new AbortController().signal);
    database = await createTestDatabase();
    db = openDatabase(database.url, { maxConnections: 1, name: 'units' });
    state = mkdtempSync(join(tmpdir(), 'patchbay-units-'));
    chmodSync(state, 0o755);
    const { folder, mode, account } = stateFolder(state, unit('web'));
    mkdirSync(folder);
    chmodSync(folder, mode);
    chownSync(folder, account, account);
  });
  afterAll(async () => {
    await db.$client.end();
    await database.drop();
    rmSync(state, { recursive: true, force: true });
  });

  test('the sandbox of these tests lets them write their state and a /tmp of their own only', async () => {
    const path = join(state, 'tries.service');
    const places = ['/', '/etc', '/usr', '/opt/patchbay', '/root', '/tmp', '/var/lib', '/var/lib/patchbay'];
    const tries = `for place in ${places.join(' ')}; do touch $place/x 2>/dev/null && echo $place; done; id -u`;
    writeFileSync(path, `[Service]\nExecStart=/bin/sh -c '${tries}'\nWorkingDirectory=/opt/patchbay\n`);
    const unit = startUnit(path, { root, state, settings: {} });
    await vi.waitFor(() => expect(unit.output()).toBe('/tmp\n/var/lib/patchbay\n10001\n'));
    await unit.stop();
  });

  test('two web processes on one port and a worker answer and execute, write nothing but their state, and end in time', async () => {
    const port = await findFreePort();
    const metricsPort = await findFreePort();
    const settings = {
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: database.url,
      BASE_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      AUTH_SECRET: 'of-a-test-of-a-test-of-a-test-of-a-test',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    const started: StartedUnit[] = [];
    const start = (part: string, instance: string): StartedUnit => {
      const one = startUnit(unit(part), { root, state, settings, instance });
      started.push(one);
      return one;
    };
    const countProcesses = async (kind: string): Promise<number> => {
      const { rows } = await db.$client.query<{ count: number }>(
        'select count(*)::int as count from processes where kind = $1',
        [kind],
      );
      return rows[0]?.count ?? 0;
    };
    try {
      for (const [part, instance] of [
        ['web', '1'],
        ['web', '2'],
        ['worker', '1'],
      ] as const)
        start(part, instance);
      await vi.waitFor(
        async () => expect([await countProcesses('web'), await countProcesses('worker')]).toEqual([2, 1]),
        { timeout: 60_000 },
      );
      for (const [place, process] of ['web', 'worker', 'web'].entries())
        await vi.waitFor(
          async () =>
            expect(await (await fetch(`http://127.0.0.1:${metricsPort + place}/metrics`)).text()).toContain(
              `process="${process}"`,
            ),
          { timeout: 60_000, interval: 200 },
        );
      const { token, workflowId } = await insertWorkflow(db.$client, {
        tasks: [
          { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: { response_body: 'Thank you!' } },
          { id: 2, type: 'delay', name: 'Wait', settings: { mode: 'for', amount: 1, unit: 'seconds' } },
        ],
        edges: [{ from: 1, to: 2 }],
      });
      const call = async (): Promise<string> => {
        const answer = await fetch(`${settings.BASE_URL}/webhook/${token}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Connection: 'close' },
          body: '{}',
        });
        return answer.text();
      };
      await vi.waitFor(async () => expect(await call()).toBe('Thank you!'), { timeout: 60_000 });
      const { status } = await fetch(`${settings.BASE_URL}/welcome`);
      expect(status).toBe(200);
      await vi.waitFor(async () => {
        const { rows } = await db.$client.query('select 1 from runs where workflow_id = $1 and status = $2', [
          workflowId,
          'succeeded',
        ]);
        expect(rows.length).toBeGreaterThan(0);
      }, 30_000);
    } finally {
      const ends = await Promise.all(started.map((one) => one.stop()));
      expect(ends.map(({ code }, index) => [code, code === 0 ? '' : started[index]?.output()])).toEqual(
        started.map(() => [0, '']),
      );
      for (const { seconds, limitSeconds } of ends) expect(seconds).toBeLessThan(limitSeconds / 2);
    }
  });
});
