// The result of a chaos run, as text and figures.
import type { Played, Recovery } from './play.ts';

/** Maximum duration of 99 of 100 recoveries. */
const RECOVERY_BOUND_MS = 10_000;
/**
 * Maximum share of sends with an unknown outcome that never reached the platform, and a minimum for few sends, because each
 * network fault causes about five.
 */
const NEEDLESS_BOUND = { share: 0.02, least: 10 };

interface Quantiles {
  times: number;
  p50: number;
  p99: number;
  max: number;
}

/** Whether all invariants held and most runs succeeded. */
export const isProven = (played: Played): boolean =>
  played.lost + played.doubled + played.stuck + played.foreign + played.contradicted + played.orphans === 0 &&
  played.acknowledged > 0 &&
  played.succeeded > played.acknowledged / 2 &&
  played.needless <= Math.max(NEEDLESS_BOUND.least, countSends(played) * NEEDLESS_BOUND.share);

/** Messages that the platform received, and those with an unknown outcome that it did not. */
const countSends = ({ messages, needless }: Played): number => messages + needless;

/** Whether recoveries were fast enough. With few of them, the longest counts. */
export const recoversInTime = ({ recoveries }: Played): boolean =>
  quantilesOf(recoveries.map(({ newWorkMs }) => newWorkMs)).p99 < RECOVERY_BOUND_MS;

export function summarize({ recoveries, stuckRuns: _, contradictions: __, ...verdict }: Played) {
  return {
    ...verdict,
    recoveryMs: quantilesOf(recoveries.map(({ newWorkMs }) => newWorkMs)),
    openWorkMs: quantilesOf(recoveries.flatMap(({ openWorkMs }) => openWorkMs ?? [])),
    kinds: Object.fromEntries(
      byKind(recoveries).map(([kind, all]) => [
        kind,
        {
          recoveryMs: quantilesOf(all.map(({ newWorkMs }) => newWorkMs)),
          openWorkMs: quantilesOf(all.flatMap(({ openWorkMs }) => openWorkMs ?? [])),
        },
      ]),
    ),
  };
}

export function toTable(played: Played): string[] {
  const { acknowledged, lost, doubled, stuck, flagged, needless } = played;
  const row = (name: string, all: readonly Recovery[]): string => {
    const { times, p50, p99, max } = quantilesOf(all.map(({ newWorkMs }) => newWorkMs));
    const open = all.flatMap(({ openWorkMs }) => openWorkMs ?? []);
    const cells = [p50, p99, max, ...(open.length > 0 ? [quantilesOf(open).p99, quantilesOf(open).max] : [])];
    return `${name.padEnd(40)}${String(times).padStart(5)}     ${cells.map((ms) => `${ms} ms`.padStart(9)).join('')}`;
  };
  return [
    ...played.stuckRuns.map((run) => `stuck: ${JSON.stringify(run)}`),
    ...played.contradictions.map((record) => `contradicts: ${JSON.stringify(record)}`),
    `${'fault'.padEnd(40)}times  recovery p50      p99      max   (open work p99, max)`,
    ...byKind(played.recoveries).map(([kind, all]) => row(kind, all)),
    row('all', played.recoveries),
    `${played.refused} webhooks were refused; of the runs ${played.succeeded} succeeded and ${played.failed} failed; ` +
      `${played.messages} messages were sent, ${played.written} came from customers; ${played.foreign} acknowledgements named ` +
      `the event of another webhook, ${played.contradicted} records contradict each other, ${played.orphans} processes were left behind`,
    `acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, stuck ${stuck}, ` +
      `flagged ${flagged} of ${countSends(played)} sends, ${needless} of them needlessly`,
  ];
}

const byKind = (recoveries: readonly Recovery[]): [string, Recovery[]][] =>
  [...Map.groupBy(recoveries, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b));

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { times: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
