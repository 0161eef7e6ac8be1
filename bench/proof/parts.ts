// The parts of `npm run proof`: each is a command that exits with an error unless its claim holds.
import type { Program } from '../needed-programs.ts';

export interface Part {
  name: string;
  shows: string;
  /** Program and arguments for Node, below the repository. */
  command: readonly string[];
  /** Settings of the command. */
  environment?: Readonly<Record<string, string>>;
  /** Required system programs. */
  needs?: readonly Program[];
  /** Timeout. */
  minutes: number;
  /** A defect is injected: the command has to exit with an error, and its output has to match. */
  mustFind?: RegExp;
}

const vitest = (project: string, ...files: string[]): string[] => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  project,
  ...files,
];
const FOUND = /doubled [1-9]/;

/** They compare what statements read with what they return. */
const TESTS_OF_PLANS = [
  'server/lists.db.test.ts',
  'server/alerts.db.test.ts',
  'lib/alerts/failures',
  'lib/engine/queue/give-back.db.test.ts',
  'lib/messaging/limits',
  'lib/workflows/list-silences.db.test.ts',
  'lib/workflows/retention/remove-due.db.test.ts',
];

/** Newer than the oldest version that users may have, and older than the one that is installed with Patchbay. */
const POSTGRES_BETWEEN = [16, 17];

/** The longest part is divided, so that little is repeated after an interruption. */
const CRASH_POINT_PARTS = 8;

export const FAILOVER_PROGRAMS: readonly Program[] = [
  'patroni',
  'etcd',
  'haproxy',
  'pgbouncer',
  'ip',
  'setpriv',
];

export const PARTS: readonly Part[] = [
  {
    name: 'simulation',
    shows: '10,000 schedules break nothing',
    command: ['bench/simulate.ts', '--count', '10000'],
    minutes: 3,
  },
  {
    name: 'simulation-customers',
    shows: '10,000 schedules of holds and stops break nothing',
    command: ['bench/simulate.ts', '--model', 'customers', '--count', '10000'],
    minutes: 3,
  },
  {
    name: 'sabotages',
    shows: 'the simulation finds an engine, and sending, without any of their protections',
    command: vitest(
      'pure',
      'lib/engine/simulation.test.ts',
      'lib/tasks/messaging-business/simulation.test.ts',
    ),
    minutes: 2,
  },
  {
    name: 'chaos-record',
    shows: 'chaos finds an engine without the record of sends',
    command: ['bench/chaos.ts', '--sabotage', 'record'],
    minutes: 2,
    mustFind: FOUND,
  },
  {
    name: 'chaos-epoch',
    shows: 'chaos finds an engine without the check of epochs',
    command: ['bench/chaos.ts', '--sabotage', 'epoch'],
    minutes: 3,
    mustFind: FOUND,
  },
  {
    name: 'chaos',
    shows: 'everything goes wrong for ten minutes',
    command: ['bench/chaos.ts', '--seconds', '600'],
    minutes: 13,
  },
  {
    name: 'conversations',
    shows: 'a thousand conversations under kills',
    command: ['bench/chaos.ts', '--plan', 'conversations'],
    minutes: 4,
  },
  {
    name: 'chaos-holds',
    shows: 'chaos finds messages that leave after a hold',
    command: ['bench/chaos.ts', '--plan', 'customers', '--seconds', '30', '--sabotage', 'holds'],
    minutes: 2,
    mustFind: /left after a hold or a stop [1-9]/,
  },
  {
    name: 'customers',
    shows: 'holds and stops that change under kills',
    command: ['bench/chaos.ts', '--plan', 'customers', '--seconds', '300'],
    minutes: 7,
  },
  {
    name: 'postgresql-15',
    shows: 'every statement runs on PostgreSQL 15, and no list, check or job reads whole tables',
    command: vitest('db'),
    environment: { TEST_POSTGRES: '15' },
    minutes: 5,
  },
  ...POSTGRES_BETWEEN.map((version): Part => ({
    name: `postgresql-${version}`,
    shows: `no list, check or job reads whole tables on PostgreSQL ${version}`,
    command: vitest('db', ...TESTS_OF_PLANS),
    environment: { TEST_POSTGRES: String(version) },
    minutes: 2,
  })),
  { name: 'overload', shows: 'five times too much', command: ['bench/overload.ts'], minutes: 9 },
  {
    name: 'upgrade',
    shows: 'from the last release and back, under load',
    command: ['bench/upgrade.ts'],
    minutes: 8,
  },
  {
    name: 'image',
    shows: 'the image, compose and Kubernetes',
    command: vitest('proof', 'server/image/image.integration.test.ts'),
    needs: ['buildah', 'crun', 'debootstrap', 'ip', 'unshare'],
    minutes: 14,
  },
  {
    name: 'failover',
    shows: 'the database fails over',
    command: ['bench/failover.ts'],
    needs: FAILOVER_PROGRAMS,
    minutes: 9,
  },
  ...Array.from({ length: CRASH_POINT_PARTS }, (_, index): Part => {
    const part = `${index + 1}/${CRASH_POINT_PARTS}`;
    return {
      name: `crash-points-${index + 1}`,
      shows: `a death at every point, alone and after another, in ${part} of the points`,
      command: ['bench/crash-points.ts', '--part', part],
      minutes: 14,
    };
  }),
];
