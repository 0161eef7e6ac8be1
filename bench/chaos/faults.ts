// What goes wrong, by kind. Each fault resolves when it is over: what was killed is being started again, networks work.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkFault } from '#lib/testing/fault-proxy.ts';
import { allowWrites, refuseWrites } from '#lib/testing/refuse-writes.ts';
import type { Random } from '#lib/testing/random.ts';
import type { Product } from './product.ts';
import type { Traffic } from './traffic.ts';

type Cause = (product: Product, random: Random, traffic: Traffic) => Promise<void>;

const CLOCK_OFF_MS = 2 * 3_600_000;
/** A process that is started with it sees a clock that is two hours off. */
const wrongClock = (offsetMs: number): Record<string, string> => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(
    `const Real=Date;globalThis.Date=class extends Real{constructor(...a){a.length?super(...a):super(Real.now()+${offsetMs})}static now(){return Real.now()+${offsetMs}}}`,
  )}`,
});

const network =
  (which: 'database' | 'platform', fault: NetworkFault): Cause =>
  async (product, random) => {
    product[which].set(fault);
    await sleep(random.between(100, 6000));
    product[which].set('pass');
  };

const stalled: Cause = async ({ web, workers }, random) => {
  const slot = random.pick([web, ...workers]);
  slot.kill('SIGSTOP');
  // Some stalls outlive the heartbeat, so that others take what the process holds.
  await sleep(random.pick([300, 2000, 8000]));
  slot.kill('SIGCONT');
};

async function terminateBackends({ db }: Product): Promise<void> {
  await db.$client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'patchbay%'`,
  );
}

const WRITTEN = ['events', 'runs', 'task_runs', 'graphile_worker._private_jobs'];

async function fillDisk({ db }: Product, random: Random): Promise<void> {
  await refuseWrites(db.$client, WRITTEN);
  await sleep(random.between(300, 4000));
  await allowWrites(db.$client, WRITTEN);
}

export const FAULTS: Record<string, Cause> = {
  'web killed': async ({ web }) => web.kill('SIGKILL'),
  'worker killed': async ({ workers }, random) => random.pick(workers).kill('SIGKILL'),
  'both workers killed': async ({ workers }) => workers.forEach((slot) => slot.kill('SIGKILL')),
  'web told to stop': async ({ web }) => web.kill('SIGTERM'),
  'worker told to stop': async ({ workers }, random) => random.pick(workers).kill('SIGTERM'),
  'process stalled': stalled,
  'database killed': (product) => product.restartDatabase('SIGKILL'),
  'database stopped at once': (product) => product.restartDatabase('SIGQUIT'),
  'database restarted': (product) => product.restartDatabase('SIGINT'),
  'connections terminated': terminateBackends,
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
  'clock of a worker wrong': async ({ workers }, random) => {
    const slot = random.pick(workers);
    slot.nextSettings = wrongClock(random.pick([-CLOCK_OFF_MS, CLOCK_OFF_MS]));
    slot.kill('SIGKILL');
    await sleep(4000);
    slot.kill('SIGKILL');
  },
  'workflow published': (_, __, traffic) => traffic.publish(),
  'workflow paused': async (_, random, traffic) => {
    await traffic.setActive(false);
    await sleep(random.between(100, 1000));
    await traffic.setActive(true);
  },
};
