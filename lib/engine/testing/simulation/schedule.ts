// The events of one simulation besides the work itself: arriving webhooks and faults, all derived from one seed.
import { Random } from '#lib/testing/random.ts';
import { KEYS } from './workflows.ts';

export type Fault =
  /** The process is killed; another one starts later. */
  | { kind: 'kill'; atMs: number; worker: number; restartMs: number }
  /** The process is stopped gracefully; another one starts. */
  | { kind: 'stop'; atMs: number; worker: number; restartMs: number }
  /** The process is suspended for a while, then resumes. */
  | { kind: 'stall'; atMs: number; worker: number; forMs: number }
  /** The process's clock is wrong for a while. */
  | { kind: 'clock'; atMs: number; worker: number; byMs: number; forMs: number }
  /** A job for all runs is added, although other processes may hold them. */
  | { kind: 'duplicate'; atMs: number }
  /** The database is unreachable. */
  | { kind: 'outage'; atMs: number; forMs: number }
  /** Connections break, each statement's with this probability. */
  | { kind: 'breaks'; atMs: number; forMs: number; probability: number };

export interface Schedule {
  seed: number;
  workers: number;
  /** Maximum number of runs that a worker advances at once. */
  maxRuns: number;
  workflows: number;
  /** The time of a webhook, and its workflow; `value` by which its run is ordered, if it is. */
  arrivals: { atMs: number; workflow: number; value?: string }[];
  faults: Fault[];
  /** Unexpected signals; each copy of one arrives at its own instant. */
  signals: { atMs: number[]; key: string }[];
  /** Whether first legs of runs are executed before their webhook is committed. */
  executesLegs: boolean;
  /** Of workflows with a gate: how many runs they execute at once, null: any number, and when they hold their runs. */
  gates: { workflow: number; most: number | null; holds: { atMs: number; forMs: number }[] }[];
  /** How many runs the workspace of the first workflow executes at once, from a time on; null: any number. */
  limits: { atMs: number; most: number | null }[];
  /** What others do in the model (model.ts). */
  changes?: readonly Change[];
}

/** The model knows the rest. */
export interface Change {
  atMs: number;
}

const BUSY_MS = 6000;
/** Share of the schedules whose workflows order their runs. */
const ORDERED_SHARE = 0.3;
/** Share of the schedules in which more arrives than the workers take, so that runs overtake those of another workspace. */
const CROWDED_SHARE = 0.06;
const CROWD = { arrivals: 50, withinMs: 300, maxRuns: 1 };
/** Share of the schedules in which a workflow has a gate. */
const GATED_SHARE = 0.2;
/** Share of the schedules in which a workspace has a limit. */
const LIMITED_SHARE = 0.15;
const VALUES = ['A', 'A', 'B'];

export function makeSchedule(seed: number): Schedule {
  const random = new Random(seed);
  const workers = 1 + random.below(3);
  const workflows = 1 + random.below(2);
  const arrivals = Array.from({ length: 1 + random.below(5) }, () => ({
    atMs: Math.round(random.between(0, BUSY_MS / 2)),
    workflow: random.below(workflows),
  }));
  const faults = Array.from({ length: random.below(6) }, () => makeFault(random, workers)).flatMap((fault) =>
    fault.kind === 'stall' && random.chance(0.3) ? [fault, killRightAfter(fault, random)] : [fault],
  );
  const maxRuns = random.pick([1, 3, 100]);
  const executesLegs = random.chance(0.5);
  const signals = Array.from({ length: random.below(6) }, () => makeSignal(random));
  const gates = makeGates(seed, workflows);
  const limits = makeLimits(seed);
  // Behind a gate it would take longer than the simulation waits.
  const crowd = gates.length + limits.length > 0 ? [] : makeCrowd(seed, workflows);
  return {
    seed,
    workers,
    workflows,
    arrivals: [...inOrder(arrivals, seed), ...crowd],
    faults,
    maxRuns: crowd.length > 0 ? CROWD.maxRuns : maxRuns,
    executesLegs,
    signals,
    gates,
    limits,
  };
}

/** Numbers of their own, so that the rest of a seed's schedule does not depend on them. */
function makeGates(seed: number, workflows: number): Schedule['gates'] {
  const random = new Random(seed * 19 + 11);
  if (!random.chance(GATED_SHARE)) return [];
  const holds = Array.from({ length: random.below(3) }, (_, index) => ({
    atMs: Math.round(random.between(0, 1000)) + index * 2500,
    forMs: random.pick([20, 300, 2000]),
  }));
  return [{ workflow: random.below(workflows), most: random.pick([null, 1, 1, 2]), holds }];
}

/** Numbers of their own, as those of gates. */
function makeLimits(seed: number): Schedule['limits'] {
  const random = new Random(seed * 37 + 29);
  if (!random.chance(LIMITED_SHARE)) return [];
  const later = Array.from({ length: random.below(3) }, (_, index) => ({
    atMs: Math.round(random.between(0, 1500)) + index * 1500,
    most: random.pick([null, 1, 2, 3]),
  }));
  return [{ atMs: 0, most: random.pick([1, 1, 2]) }, ...later];
}

/** Numbers of its own, as those of gates. */
function makeCrowd(seed: number, workflows: number): Schedule['arrivals'] {
  const random = new Random(seed * 23 + 3);
  if (!random.chance(CROWDED_SHARE)) return [];
  return Array.from({ length: CROWD.arrivals }, () => ({
    atMs: random.below(CROWD.withinMs),
    workflow: random.below(workflows),
  }));
}

/** Orders the runs of some schedules. Numbers of its own, so that the rest of a seed's schedule does not depend on it. */
function inOrder(arrivals: Schedule['arrivals'], seed: number): Schedule['arrivals'] {
  const random = new Random(seed * 13 + 5);
  if (!random.chance(ORDERED_SHARE)) return arrivals;
  const more = arrivals.flatMap((arrival) => [
    arrival,
    { ...arrival, atMs: arrival.atMs + random.below(40) },
  ]);
  return more.map((arrival) => (random.chance(0.9) ? { ...arrival, value: random.pick(VALUES) } : arrival));
}

function makeSignal(random: Random): Schedule['signals'][number] {
  const atMs = Array.from({ length: 1 + random.below(3) }, () => Math.round(random.between(0, BUSY_MS)));
  return { key: random.pick(KEYS), atMs };
}

/** Its work was taken over by others: it starts new work when it resumes, and dies before its next heartbeat. */
function killRightAfter({ atMs, worker, forMs }: Fault & { kind: 'stall' }, random: Random): Fault {
  return { kind: 'kill', atMs: atMs + forMs + random.below(12), worker, restartMs: 500 };
}

function makeFault(random: Random, workers: number): Fault {
  const atMs = Math.round(random.between(0, BUSY_MS));
  const worker = random.below(workers);
  const kind = random.pick([
    'kill',
    'kill',
    'stop',
    'stall',
    'stall',
    'duplicate',
    'duplicate',
    'outage',
    'breaks',
    'breaks',
    'clock',
  ] as const);
  switch (kind) {
    case 'kill':
    case 'stop':
      return { kind, atMs, worker, restartMs: random.pick([10, 500, 9000]) };
    case 'stall':
      // Some stalls last longer than the heartbeat's timeout, so that others take over the process's work.
      return { kind, atMs, worker, forMs: random.pick([200, 2000, 8000, 15_000]) };
    case 'clock':
      return {
        kind,
        atMs,
        worker,
        byMs: random.pick([-7_200_000, -3000, 3000, 7_200_000]),
        forMs: random.pick([500, 8000]),
      };
    case 'duplicate':
      return { kind, atMs };
    case 'outage':
      return { kind, atMs, forMs: random.pick([100, 1500, 8000]) };
    case 'breaks':
      return { kind, atMs, forMs: random.pick([500, 5000]), probability: random.pick([0.02, 0.1, 0.4]) };
  }
}

/** When a fault is over. */
const endMs = (fault: Fault): number =>
  fault.atMs + ('forMs' in fault ? fault.forMs : 'restartMs' in fault ? fault.restartMs : 0);

/** When the last fault is over. */
export const faultsEndMs = ({ faults }: Schedule): number => Math.max(0, ...faults.map(endMs));

const KNOWN_OUTCOMES: readonly Fault['kind'][] = ['duplicate', 'clock', 'breaks'];

/** Whether outcomes of work in progress may be unknown: it was interrupted, or appeared to be. */
export const mayInterrupt = ({ faults }: Schedule): boolean =>
  faults.some(({ kind }) => !KNOWN_OUTCOMES.includes(kind));
