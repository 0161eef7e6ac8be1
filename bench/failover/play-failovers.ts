// Machines of the database die or lose their network, one after another, while webhooks arrive; no process of the product is
// killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Verdict } from '../chaos/check.ts';
import { prepareWorkflows } from '../chaos/workflows.ts';
import { measureInterruption } from './interruption.ts';
import { Load } from './load.ts';
import { World } from './world.ts';

/** Duration of a machine's outage: longer than the 30 s within which webhooks have to be accepted again. */
const AWAY_MS = 35_000;
const CALM_MS = 4000;

type Target = 'primary' | 'standby';
type How = 'kill' | 'cut' | 'orphan' | 'switch';

const FAULTS = [
  { name: 'primary killed', target: 'primary', how: 'kill' },
  { name: 'primary cut off the network', target: 'primary', how: 'cut' },
  { name: 'Patroni of the primary killed, PostgreSQL not', target: 'primary', how: 'orphan' },
  { name: 'standby killed', target: 'standby', how: 'kill' },
  { name: 'standby cut off the network', target: 'standby', how: 'cut' },
  { name: 'planned switch', target: 'primary', how: 'switch' },
] as const satisfies readonly { name: string; target: Target; how: How }[];

type Fault = (typeof FAULTS)[number];

interface Way {
  begin: (world: World, machine: string) => Promise<void> | void;
  /** The repair by the machine's service manager, or a person. */
  end: (world: World, machine: string) => void;
}

const WAYS: Record<How, Way> = {
  kill: {
    begin: ({ network }, machine) => network.killAll(machine),
    end: ({ cluster }, machine) => cluster.startPostgres(machine),
  },
  cut: {
    begin: ({ network }, machine) => network.cutOff(machine),
    end: ({ network }, machine) => network.heal(machine),
  },
  orphan: {
    begin: ({ cluster }, machine) => cluster.killPatroni(machine),
    end: ({ cluster }, machine) => cluster.startPostgres(machine),
  },
  switch: {
    begin: ({ cluster }, machine) => cluster.switchOver(machine),
    end: () => undefined,
  },
};

export interface Failover {
  fault: Fault['name'];
  refused: number;
  acceptedAgainMs: number;
  /** From the fault until another machine is the primary; null where the primary stays. */
  promotedMs: number | null;
  /** Requests that were not acknowledged once the machine was back. */
  refusedWhenBack: number;
}

export interface Failovers extends Verdict {
  failovers: Failover[];
  /** Processes of the product that ended. */
  ended: number;
}

/** @param folder for data and logs. Needs a build of the app, and the programs listed in ops/ha/README.md. */
export async function playFailovers(
  folder: string,
  { rounds, isPooled, say }: { rounds: number; isPooled: boolean; say: (line: string) => void },
): Promise<Failovers> {
  const world = await World.start(folder, isPooled);
  try {
    const load = new Load(await prepareWorkflows(world.calls));
    load.start();
    await sleep(CALM_MS);
    const failovers: Failover[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const fault of FAULTS) {
        const failover = await playFault(world, load, fault);
        failovers.push(failover);
        say(JSON.stringify(failover));
      }
    }
    await load.stop();
    const verdict = await check(world, load);
    const ended = world.apps.reduce((sum, { unexpectedEnds }) => sum + unexpectedEnds, 0);
    return { ...verdict, failovers, ended };
  } finally {
    await world.end();
  }
}

async function playFault(world: World, load: Load, fault: Fault): Promise<Failover> {
  const { cluster } = world;
  await cluster.untilReplicated();
  await sleep(CALM_MS);
  // One fault at a time: a stalled disk, for example, makes the standby lag behind.
  const before = await cluster.untilReplicated();
  const machine = before[fault.target];
  const faultAt = Date.now();
  await WAYS[fault.how].begin(world, machine);
  let promotedMs: number | null = null;
  while (Date.now() < faultAt + AWAY_MS) {
    await sleep(100);
    if (fault.target === 'standby' || promotedMs !== null) continue;
    const primary = await cluster.findPrimary();
    if (primary !== undefined && primary !== before.primary) promotedMs = Date.now() - faultAt;
  }
  const backAt = Date.now();
  WAYS[fault.how].end(world, machine);
  await cluster.untilReplicated();
  await sleep(CALM_MS);
  const { refused, acceptedAgainMs } = measureInterruption(load.attempts, faultAt, backAt);
  const { refused: refusedWhenBack } = measureInterruption(load.attempts, backAt, Date.now());
  return { fault: fault.name, refused, acceptedAgainMs, promotedMs, refusedWhenBack };
}
