// The faults, by kind. Each resolves when it is over: killed processes are being restarted, networks work.
import { setTimeout as sleep } from 'node:timers/promises';
import { terminateBackends } from '#lib/testing/breakable-database.ts';
import type { NetworkFault } from '#lib/testing/fault-proxy.ts';
import { allowWrites, refuseWrites } from '#lib/testing/refuse-writes.ts';
import type { Random } from '#lib/testing/random.ts';
import { sendAll } from './launched.ts';
import type { Product } from './product.ts';
import type { Traffic } from './traffic.ts';
import { untilItWorks } from './until-it-works.ts';

export type Cause = (product: Product, random: Random, traffic: Traffic) => Promise<unknown>;

/** Minimum number of sends in progress before a fault that targets sends. */
const SENDS_UNDER_WAY = 4;
/** Maximum wait for them: nothing is sent while something else is broken, and the fault happens anyway. */
const AIM_PATIENCE_MS = 5000;
const POLL_MS = 10;
/** Number of a worker's runs that others have to take over, and the timeout for it. */
const RUNS_TAKEN = 2;
const TAKING_PATIENCE_MS = 20_000;
const CLOCK_OFF_MS = 2 * 3_600_000;
const BACKENDS = 10;
const WRITTEN = ['events', 'runs', 'task_runs', 'graphile_worker._private_jobs'];
/** Some last longer than the heartbeat's timeout, so that others take over the process's work. */
const STALLS_MS = [300, 2000, 8000];

const network =
  (which: 'database' | 'platform', fault: NetworkFault): Cause =>
  async (product, random) => {
    const proxy = which === 'platform' ? product.platform : product.own.network;
    proxy.set(fault);
    await sleep(random.between(100, 6000));
    proxy.set('pass');
  };

/** Suspends processes for a while. */
async function stall(pids: readonly number[], milliseconds: number): Promise<void> {
  sendAll('SIGSTOP', pids);
  await sleep(milliseconds);
  sendAll('SIGCONT', pids);
}

/** A connection of the product, as the process of PostgreSQL that serves it. */
const findBackend = ({ db }: Product): Promise<number> =>
  untilItWorks(async () => {
    const { rows } = await db.$client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name like 'patchbay%'
       order by state = 'active' desc, random() limit 1`,
    );
    if (!rows[0]) throw new Error('Nobody is connected.');
    return rows[0].pid;
  });

async function fillDisk({ own: { disk, server }, db }: Product, random: Random): Promise<void> {
  const lastsMs = random.between(500, 4000);
  if (!disk) {
    await refuseWrites(db.$client, WRITTEN);
    await sleep(lastsMs);
    await allowWrites(db.$client, WRITTEN);
    return;
  }
  disk.fill();
  await sleep(lastsMs);
  disk.makeRoom();
  await server.startAgain();
  // Frees the disk space of the log.
  await untilItWorks(() => db.$client.query('checkpoint'));
}

async function setClockOff(product: Product, random: Random): Promise<void> {
  const program = random.pick(['web.mjs', 'worker.mjs'] as const);
  product.setClock(random.pick([-CLOCK_OFF_MS, CLOCK_OFF_MS]));
  const pid = await product.launched.signal(program, 'SIGUSR2', random);
  await sleep(random.between(500, 4000));
  product.setClock(0);
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    // It has ended in between: the next one has the right time.
  }
}

/** Two or three times, and in reverse order within a batch. */
async function disorderNotifications({ calls }: Product, random: Random): Promise<void> {
  const set = (copies: number, batchMs: number): Promise<unknown> =>
    calls.control('POST', 'settings', { notification_copies: copies, notification_batch_ms: batchMs });
  await set(random.pick([2, 3]), random.pick([150, 600]));
  await sleep(random.between(1000, 4000));
  await set(1, 0);
}

/** Waits until the platform has some unanswered messages. */
async function untilSending({ platform }: Product): Promise<void> {
  for (const end = Date.now() + AIM_PATIENCE_MS; Date.now() < end; await sleep(POLL_MS))
    if (platform.unanswered() >= SENDS_UNDER_WAY) return;
}

/** Waits until another worker sends the next messages of runs whose worker no longer has a heartbeat. */
async function untilOthersHaveIts({ db }: Product): Promise<void> {
  const { rows: held } = await untilItWorks(() =>
    db.$client.query<{ id: string; worker_id: string; last_task: number }>(
      `select r.id, r.worker_id, max(t.task_id) as last_task from runs r join task_runs t on t.run_id = r.id
       where r.status = 'running' and r.worker_id is not null group by r.id`,
    ),
  );
  const values = [
    held.map(({ id }) => id),
    held.map(({ worker_id }) => worker_id),
    held.map(({ last_task }) => last_task),
  ];
  for (const end = Date.now() + TAKING_PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { rows } = await untilItWorks(() =>
      db.$client.query<{ count: number }>(
        `select count(*)::int from runs r
         join unnest($1::uuid[], $2::uuid[], $3::int[]) as held(id, worker_id, last_task) using (id)
         join task_runs t on t.run_id = r.id and t.task_id > held.last_task
         where r.status = 'running' and r.worker_id <> held.worker_id`,
        values,
      ),
    );
    if ((rows[0]?.count ?? 0) >= RUNS_TAKEN) return;
  }
}

/** Only those of the launcher's own database. */
export const KILLS = {
  'worker killed': ({ launched }, random) => launched.signal('worker.mjs', 'SIGKILL', random),
  'worker killed while it sends': async (product) => {
    await untilSending(product);
    return product.launched.signalOldest('worker.mjs', 'SIGKILL');
  },
  'web killed': ({ launched }, random) => launched.signal('web.mjs', 'SIGKILL', random),
  'database killed': ({ launched }) => launched.killDatabase(),
  'connections terminated': ({ db }) => untilItWorks(() => terminateBackends(db.$client, BACKENDS)),
  'launcher killed': ({ launched }) => launched.replaceLauncher(() => launched.signalLauncher('SIGKILL')),
} satisfies Record<string, Cause>;

/** Faults that target messages being sent, and the runs that send them. */
export const AIMED: Record<string, Cause> = {
  'worker killed while it sends': KILLS['worker killed while it sends'],
  'worker stalled until others have its runs': async (product) => {
    await untilSending(product);
    const pid = await product.launched.signalOldest('worker.mjs', 'SIGSTOP');
    try {
      await untilOthersHaveIts(product);
    } finally {
      sendAll('SIGCONT', [pid]);
    }
  },
};

export const FAULTS: Record<string, Cause> = {
  'web killed': KILLS['web killed'],
  'worker killed': KILLS['worker killed'],
  'both workers killed': ({ launched }) => launched.signalAll('worker.mjs', 'SIGKILL'),
  'web told to stop': ({ launched }, random) => launched.signal('web.mjs', 'SIGTERM', random),
  'worker told to stop': ({ launched }, random) => launched.signal('worker.mjs', 'SIGTERM', random),
  'process stalled': async ({ launched }, random) => {
    const program = random.pick(['web.mjs', 'worker.mjs', 'launcher'] as const);
    const pid =
      program === 'launcher'
        ? await launched.signalLauncher('SIGSTOP')
        : await launched.signal(program, 'SIGSTOP', random);
    await stall([pid], random.pick(STALLS_MS));
  },
  'launcher killed': KILLS['launcher killed'],
  'launcher told to stop': ({ launched }) =>
    launched.replaceLauncher(() => launched.signalLauncher('SIGTERM')),
  'what started the launcher killed': ({ launched }) =>
    launched.replaceLauncher(async () => launched.killStarter()),
  'launcher and what started it killed': ({ launched }) =>
    launched.replaceLauncher(async () => {
      launched.killStarter();
      await launched.signalLauncher('SIGKILL');
    }),
  'database killed': ({ own }) => own.server.restart('SIGKILL'),
  'database stopped at once': ({ own }) => own.server.restart('SIGQUIT'),
  'database restarted': ({ own }) => own.server.restart('SIGINT'),
  'database told to stop': async ({ own }, random) => {
    // Refuses new connections; existing ones stay, because PostgreSQL waits for them.
    process.kill(own.server.pid, 'SIGTERM');
    await sleep(random.between(300, 3000));
    await own.server.restart('SIGINT');
  },
  'database stalled': async ({ own: { server } }, random) => {
    await stall([server.pid, ...server.backendPids()], random.between(300, 5000));
  },
  'connections terminated': KILLS['connections terminated'],
  'connection killed': async (product) => process.kill(await findBackend(product), 'SIGKILL'),
  'connection stalled': async (product, random) =>
    stall([await findBackend(product)], random.between(300, 10_000)),
  'disk full': fillDisk,
  'database slow': network('database', 'delay'),
  'database unreachable, silently': network('database', 'blackhole'),
  'database does not answer': network('database', 'half_open'),
  'answers of the database lost': network('database', 'lose_answer'),
  'database connections reset': network('database', 'reset'),
  'database vanished, another one answers': network('database', 'vanish'),
  'platform slow': network('platform', 'delay'),
  'platform unreachable, silently': network('platform', 'blackhole'),
  'answers of the platform lost': network('platform', 'lose_answer'),
  'platform connections reset': network('platform', 'reset'),
  'notifications doubled and reordered': disorderNotifications,
  'clock of a process wrong': setClockOff,
  'workflow published': (_, __, traffic) => traffic.publish(),
  'workflow paused': async (_, random, traffic) => {
    await traffic.setActive(false);
    await sleep(random.between(100, 1000));
    await traffic.setActive(true);
  },
  'workflow deleted': (_, __, traffic) => traffic.deleteWorkflow(),
};
