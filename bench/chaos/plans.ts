// Which faults happen, in which order and how often.
import type { Random } from '#lib/testing/random.ts';
import { AIMED, type Cause, FAULTS, KILLS } from './faults.ts';

export interface Plan {
  /** Whether the broken database is the launcher's or ours. */
  database: 'own' | 'launched';
  causes: Readonly<Record<string, Cause>>;
  /** The kinds of fault, one after another. */
  order(random: Random): Iterable<string>;
}

/** Number of other faults between two that target sends. */
const BETWEEN_AIMED = 4;

/**
 * Orders faults: those that target sends come first and are repeated at an interval; of the others each kind happens once
 * before any is repeated.
 * @param mention only kinds whose name contains it
 */
export const everything = (seconds: number, mention = ''): Plan => ({
  database: 'own',
  causes: { ...AIMED, ...FAULTS },
  *order(random) {
    const isAskedFor = (kind: string): boolean => kind.includes(mention);
    const aimed = Object.keys(AIMED).filter(isAskedFor);
    const others = Object.keys(FAULTS).filter(isAskedFor);
    for (const end = Date.now() + seconds * 1000; ;) {
      const round = shuffle(others, random);
      do {
        for (const kind of [...aimed, ...round.splice(0, BETWEEN_AIMED)]) {
          if (Date.now() > end) return;
          yield kind;
        }
      } while (round.length > 0);
    }
  },
});

/** Only faults that target sends, once each. */
export const aimed: Plan = { database: 'own', causes: AIMED, order: () => Object.keys(AIMED) };

/** Number of kills of each kind; `connections terminated` ends ten at a time. */
export type KillCounts = Record<keyof typeof KILLS, number>;

export const ALL_KILLS: KillCounts = {
  'worker killed': 100,
  'worker killed while it sends': 100,
  'web killed': 100,
  'database killed': 50,
  'connections terminated': 100,
  'launcher killed': 10,
};

/** Kills of whole processes and of connections, as many as are given, in any order. */
export const kills = (counts: KillCounts): Plan => ({
  database: 'launched',
  causes: KILLS,
  order: (random) =>
    shuffle(
      Object.entries(counts).flatMap(([kind, times]) => Array.from({ length: times }, () => kind)),
      random,
    ),
});

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}
