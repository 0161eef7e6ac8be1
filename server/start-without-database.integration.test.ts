// Processes that start while the database is unavailable: they wait for it, and need no restart.
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from './launcher/build.ts';

const root = new URL('..', import.meta.url).pathname;

let database: TestDatabase;
let proxy: FaultProxy;
beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await startFaultProxy({ host: hostname, port: Number(port) });
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

test.each(['web', 'worker'])('%s', async (program) => {
  await proxy.cut();
  const waits = Promise.withResolvers<void>();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const settings = {
    DATABASE_URL: proxy.through(database.url),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  };
  const starting = startProcess(`server/${program}.ts`, settings, {
    onOutput(text) {
      if (text.includes('The database cannot be reached')) waits.resolve();
    },
  });
  await Promise.race([waits.promise, starting]);
  const ask = async (path: string, at = metricsPort) => (await fetch(`http://127.0.0.1:${at}${path}`)).status;
  // The liveness probe of Kubernetes: a waiting process must not be ended.
  expect([await ask('/healthz'), await ask('/metrics')]).toEqual([200, 503]);
  // The readiness probe: a waiting web process gets no requests.
  if (program === 'web') await expect(ask('/healthz', port)).rejects.toThrow('fetch failed');
  await proxy.restore();
  const started = await starting;
  expect(started.child.exitCode).toBeNull();
  if (program === 'web') expect(await ask('/healthz', port)).toBe(200);
  await started.stop();
});

test.each(['web', 'worker'])('%s: a stop while it waits ends it without an error', async (program) => {
  await proxy.cut();
  const metricsPort = await findFreePort();
  let child: ChildProcess | undefined;
  const settings = { DATABASE_URL: proxy.through(database.url), METRICS_PORT: String(metricsPort) };
  const starting = startProcess(`server/${program}.ts`, settings, {
    onSpawn: (spawned) => (child = spawned),
  });
  const ended = expect(starting).rejects.toThrow('ended with code 0 before it was ready');
  // From its first answer to a health check on, a supervisor may stop it.
  await vi.waitFor(async () =>
    expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(200),
  );
  child?.kill('SIGTERM');
  await ended;
});
