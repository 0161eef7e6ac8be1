// What `npm run proof` consists of: each a command of its own, which ends with an error unless what it shows is true.
import type { Program } from '../needed-programs.ts';

export interface Part {
  name: string;
  shows: string;
  /** Program and arguments for Node, below the repository. */
  command: readonly string[];
  /** Programs of the system without which it cannot be played. */
  needs?: readonly Program[];
  /** It has failed when it takes longer. */
  minutes: number;
  /** A defect is planted: the command has to end with an error, and what it prints has to match. */
  mustFind?: RegExp;
}

const vitest = (project: string, file: string): string[] => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  project,
  file,
];
const FOUND = /doubled [1-9]/;

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
    minutes: 10,
  },
  {
    name: 'sabotages',
    shows: 'the simulation finds an engine without any of its protections',
    command: vitest('pure', 'lib/engine/simulation.test.ts'),
    minutes: 5,
  },
  {
    name: 'chaos-record',
    shows: 'chaos finds an engine without the record of sends',
    command: ['bench/chaos.ts', '--sabotage', 'record'],
    minutes: 5,
    mustFind: FOUND,
  },
  {
    name: 'chaos-epoch',
    shows: 'chaos finds an engine without the check of epochs',
    command: ['bench/chaos.ts', '--sabotage', 'epoch'],
    minutes: 5,
    mustFind: FOUND,
  },
  {
    name: 'chaos',
    shows: 'everything goes wrong for ten minutes',
    command: ['bench/chaos.ts', '--seconds', '600'],
    minutes: 20,
  },
  {
    name: 'conversations',
    shows: 'a thousand conversations under kills',
    command: ['bench/chaos.ts', '--plan', 'conversations'],
    minutes: 10,
  },
  { name: 'overload', shows: 'five times too much', command: ['bench/overload.ts'], minutes: 10 },
  {
    name: 'upgrade',
    shows: 'from the last release and back, under load',
    command: ['bench/upgrade.ts'],
    minutes: 10,
  },
  {
    name: 'image',
    shows: 'the image, compose and Kubernetes',
    command: vitest('proof', 'server/image/image.integration.test.ts'),
    needs: ['buildah', 'debootstrap', 'ip'],
    minutes: 20,
  },
  {
    name: 'failover',
    shows: 'the database fails over',
    command: ['bench/failover.ts'],
    needs: FAILOVER_PROGRAMS,
    minutes: 15,
  },
  {
    name: 'crash-points',
    shows: 'a death at every point, alone and in pairs',
    command: ['bench/crash-points.ts'],
    minutes: 70,
  },
];
