// Protections of the engine that are removed one at a time, to verify that plays find it.
import { EPOCH_CHECK, withoutRecord } from '../protections.ts';
import type { Strike } from './point.ts';
import type { Sabotage } from './installation.ts';

/** @throws Error when the statement has changed, so that nothing would be removed */
const without =
  (operation: RegExp, part: string, instead = '') =>
  (name: string, text: string): string => {
    if (!operation.test(name)) return text;
    if (!text.includes(part)) throw new Error(`The statement ${name} has no "${part}".`);
    return text.replace(part, instead);
  };

export interface SabotageCase extends Sabotage {
  of: string;
  strike: Strike;
  scenario: string;
}

export const SABOTAGES: readonly SabotageCase[] = [
  {
    of: 'the check of a run’s epoch',
    // By chance the number of a statement may be lower than those of the process that has the run now.
    rewrite: without(/^write_runs/, EPOCH_CHECK),
    strike: 'stalls',
    scenario: 'HTTP requests',
  },
  {
    of: 'the record of what is about to happen',
    change: withoutRecord,
    strike: 'dies',
    scenario: 'HTTP requests',
  },
  {
    of: 'the check of the holder’s heartbeat',
    rewrite: without(/^take_runs$/, 'and p.heartbeat_at >', 'and false and p.heartbeat_at >'),
    strike: 'pauses',
    scenario: 'HTTP requests',
  },
  {
    of: 'the consumer’s supervision',
    endsWithFailure: 'take_jobs',
    strike: 'breaks',
    scenario: 'HTTP requests',
    mostPassings: 40,
  },
];
