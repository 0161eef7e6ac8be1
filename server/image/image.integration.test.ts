// The Dockerfile, built and run without a container engine (testing/build-image.ts, testing/container.ts), alone, and as in
// compose.yaml and the Kubernetes manifests. It takes five minutes, and runs where root and the programs are available.
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltImage, buildImage, canRunContainers } from './testing/build-image.ts';
import { openCompose, startComposeProxy } from './testing/compose.ts';
import { readCluster } from './testing/cluster.ts';
import { type Container, countZombies, residentBytes, startContainer } from './testing/container.ts';
import { callWebhook, type ContainerWorld, openContainerWorld, sumOf } from './testing/container-world.ts';

const root = join(import.meta.dirname, '..', '..');
const BUILD_MS = 900_000;
const PORT = 3000;
const METRICS_PORT = 9464;
const SECRETS = {
  AUTH_SECRET: 'of-a-test-of-a-test-of-a-test-of-a-test',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

describe.runIf(canRunContainers())('the image', () => {
  let image: BuiltImage;
  let world: ContainerWorld;
  const started: Container[] = [];

  beforeAll(async () => {
    image = buildImage(root);
    world = await openContainerWorld();
  }, BUILD_MS);
  afterAll(async () => {
    await Promise.all(started.map((container) => container.stop('SIGKILL', 10)));
    await world.close();
    image.remove();
  }, BUILD_MS);

  type Start = Omit<Parameters<typeof startContainer>[1], 'network' | 'hosts'>;
  function start(options: Start): Container {
    const container = startContainer(image, {
      ...options,
      network: world.network.join(),
      hosts: world.hosts,
    });
    started.push(container);
    void container.ended.then(() => started.splice(started.indexOf(container), 1));
    return container;
  }
  const get = async (container: Container, path: string, port = PORT): Promise<[number, string]> => {
    const answer = await fetch(`http://${container.address}:${port}${path}`);
    return [answer.status, await answer.text()];
  };
  /** Waits until the image's own health check succeeds. */
  const untilHealthy = (container: Container) =>
    vi.waitFor(() => expect(container.exec(...image.healthcheck)).toMatchObject({ status: 0 }), {
      timeout: 60_000,
      interval: 200,
    });
  /** Migrates the database once; the other tests use it. */
  async function migrate(options: Start): Promise<void> {
    const container = start({ ...options, args: ['migrate'] });
    expect([await container.ended, container.output()]).toEqual([0, expect.stringMatching(/./)]);
  }
  const alone = (): Start => ({
    environment: { ...SECRETS, DATABASE_URL: world.databaseUrl, BASE_URL: 'http://patchbay.test' },
    tmpfs: ['/tmp'],
  });

  const megabytesOf = (container: Container): number =>
    Math.round(residentBytes(container.pid()) / 1024 ** 2);

  test('is small, and says what runs in it', () => {
    const { base, node, modules, app } = image.megabytes;
    console.log(`image: base ${base} MB, Node ${node} MB, packages ${modules} MB, Patchbay ${app} MB`);
    expect(node + modules + app).toBeLessThan(250);
    expect(image).toMatchObject({
      user: '10001:10001',
      entrypoint: ['/app/bin/node', '/app/.programs/patchbay.mjs'],
      cmd: ['web'],
      stopSignal: 'SIGTERM',
      volumes: ['/data'],
    });
  });

  test('with a read-only root and an account without rights it answers a webhook, shows pages, and ends when told', async () => {
    await migrate(alone());
    const { path } = await world.insertWaitingFlow();
    const begun = performance.now();
    const web = start(alone());
    await vi.waitFor(async () => expect((await get(web, '/healthz'))[1]).toMatch(/^ok \d+\.\d+\.\d+/), {
      timeout: 60_000,
      interval: 10,
    });
    const seconds = (performance.now() - begun) / 1000;
    await untilHealthy(web);
    const idle = megabytesOf(web);
    expect(await callWebhook(new URL(`http://${web.address}:${PORT}${path}`), 'Guest')).toEqual([
      200,
      'Thank you, Guest!',
    ]);
    for (const page of ['/welcome', '/api/v1/openapi.json']) expect((await get(web, page))[0]).toBe(200);
    expect(web.exec('id', '-u').output.trim()).toBe('10001');
    expect(web.exec('sh', '-c', 'readlink /proc/1/exe').output.trim()).toBe('/app/bin/node');
    for (const place of ['/', '/app', '/app/.pages', '/etc', '/usr/bin', '/home'])
      expect([place, web.exec('sh', '-c', `: > ${place}/x`).output]).toEqual([
        place,
        expect.stringMatching(/Read-only file system|Permission denied/),
      ]);
    for (const place of ['/tmp', '/data', '/data/media'])
      expect(web.exec('sh', '-c', `: > ${place}/x && rm ${place}/x`)).toEqual({ status: 0, output: '' });
    const worker = start({ ...alone(), args: ['worker'] });
    await vi.waitFor(async () => {
      const { rows } = await world.db().$client.query(`select 1 from runs where status = 'succeeded'`);
      expect(rows).toHaveLength(1);
    }, 30_000);
    console.log(
      `start: healthz after ${seconds.toFixed(1)} s; memory: web ${idle} MB, after the first pages ${megabytesOf(web)} MB, worker ${megabytesOf(worker)} MB`,
    );
    expect(seconds).toBeLessThan(20);
    expect([web, worker].map((container) => countZombies(container.pid()))).toEqual([0, 0]);
    const ends = await Promise.all([web.stop('SIGTERM', 20), worker.stop('SIGINT', 20)]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(Math.max(...ends.map((end) => end.seconds))).toBeLessThan(10);
  });

  test('it can be stopped while it waits for its database', async () => {
    const web = start({
      ...alone(),
      environment: {
        ...alone().environment,
        DATABASE_URL: `postgres://nobody@${world.network.gateway}:1/none`,
      },
    });
    await vi.waitFor(() => expect(web.output()).toMatch(/database/i), 30_000);
    const { code, seconds } = await web.stop('SIGTERM', 20);
    expect([code, Math.floor(seconds)]).toEqual([0, 0]);
  });

  test('compose.yaml: two web and two worker processes share the work, and a web process that is stopped loses no call', async () => {
    const compose = openCompose(join(root, 'compose.yaml'), {
      variables: { PATCHBAY_HOST: 'patchbay.test' },
      secrets: {
        database_url: world.databaseUrl,
        auth_secret: SECRETS.AUTH_SECRET,
        encryption_keys: SECRETS.ENCRYPTION_KEYS,
      },
    });
    onTestFinished(() => compose.close());
    const startAll = (service: string): Container[] =>
      Array.from({ length: compose.services[service]?.deploy?.replicas ?? 1 }, () =>
        start(compose.optionsOf(service, image)),
      );
    await migrate(compose.optionsOf('migrate', image));
    const [webs, workers] = [startAll('web'), startAll('worker')];
    expect([webs.length, workers.length]).toEqual([2, 2]);
    for (const web of webs) await untilHealthy(web);
    const proxy = await startComposeProxy(
      root,
      webs.map(({ address }) => address),
      PORT,
    );
    const { path, workflowId } = await world.insertWaitingFlow();
    const answers: [number, string][] = [];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) answers.push(await callWebhook(new URL(path, proxy.base), 'Guest'));
    });
    try {
      await vi.waitFor(() => expect(answers.length).toBeGreaterThan(200), 30_000);
      const counted = await Promise.all(webs.map((web) => get(web, '/metrics', METRICS_PORT)));
      for (const [, metrics] of counted) expect(sumOf(metrics, 'patchbay_webhooks_total')).toBeGreaterThan(0);
      const [first] = webs as [Container, Container];
      const ended = await first.stop('SIGTERM', compose.graceSecondsOf('web'));
      expect(ended.code).toBe(0);
      const before = answers.length;
      await vi.waitFor(() => expect(answers.length).toBeGreaterThan(before + 200), 30_000);
    } finally {
      isOver = true;
      await Promise.all(callers);
      await proxy.close();
    }
    expect(new Set(answers.map(String))).toEqual(new Set(['200,Thank you, Guest!']));
    await vi.waitFor(async () => {
      const { rows } = await world
        .db()
        .$client.query('select status, count(*)::int as runs from runs where workflow_id = $1 group by 1', [
          workflowId,
        ]);
      expect(rows).toEqual([{ status: 'succeeded', runs: answers.length }]);
    }, 60_000);
    for (const worker of workers)
      expect(sumOf((await get(worker, '/metrics', METRICS_PORT))[1], 'patchbay_runs_total')).toBeGreaterThan(
        0,
      );
    const ends = [...webs.slice(1), ...workers].map((container) =>
      container.stop('SIGTERM', compose.graceSecondsOf('web')),
    );
    expect((await Promise.all(ends)).map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  test('Kubernetes: pods start with what the manifests give them, their probes answer, and they end in their time', async () => {
    const cluster = readCluster(join(root, 'ops/kubernetes'), {
      ...SECRETS,
      DATABASE_URL: world.databaseUrl,
    });
    await migrate(cluster.podOf('patchbay-migrate').options);
    const pods = ['patchbay-web', 'patchbay-worker'].map((name) => cluster.podOf(name));
    for (const { options, probes, graceSeconds, preStopSeconds } of pods) {
      const container = start(options);
      expect(probes.length).toBeGreaterThan(0);
      for (const { path, port } of probes)
        await vi.waitFor(async () => expect((await get(container, path, port))[0]).toBe(200), {
          timeout: 60_000,
          interval: 100,
        });
      // A caller in the middle of a request takes the longest.
      const slow = connect(probes[0]?.port ?? 0, container.address);
      slow.on('error', () => undefined);
      slow.write('POST /webhook/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
      await once(slow, 'connect');
      const { code, seconds } = await container.stop('SIGTERM', graceSeconds - preStopSeconds);
      slow.destroy();
      expect(code).toBe(0);
      expect(preStopSeconds + seconds).toBeLessThan(graceSeconds - 5);
    }
  });
});
