// What goes wrong in which order, and how often.
import type { Random } from '#lib/testing/random.ts';
import { type Cause, FAULTS, KILLS } from './faults.ts';

export interface Plan {
  /** Whose database is broken. */
  database: 'own' | 'launched';
  causes: Readonly<Record<string, Cause>>;
  /** The kinds of fault, one after another. */
  order(random: Random): Iterable<string>;
}

/**
 * Every kind comes once before any comes again, for so long.
 * @param mention kinds whose name has it are all that come
 */
export const everything = (seconds: number, mention = ''): Plan => ({
  database: 'own',
  causes: FAULTS,
  *order(random) {
    const kinds = Object.keys(FAULTS).filter((kind) => kind.includes(mention));
    for (const end = Date.now() + seconds * 1000; ;) {
      for (const kind of shuffle(kinds, random)) {
        if (Date.now() > end) return;
        yield kind;
      }
    }
  },
});

/** So often each kind; `connections terminated` ends ten at a time. */
export type KillCounts = Record<keyof typeof KILLS, number>;

export const ALL_KILLS: KillCounts = {
  'worker killed': 200,
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
