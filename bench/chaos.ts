// `npm run chaos -- --seconds 120 --seed 7`: everything that can go wrong, one after another, under load (see bench/README.md).
// It ends with an error unless every invariant held.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playChaos } from './chaos/play.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await buildIfNeeded(root, say, new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-chaos-'));
chmodSync(folder, 0o711);
try {
  const played = await playChaos(folder, Number(values.seconds ?? 60), Number(values.seed ?? 1));
  const { acknowledged, lost, doubled, stuck, flagged, contradicted, succeeded, failed, messages, refused } =
    played;
  say(`${'fault'.padEnd(34)}times  recovery p50      p99      max`);
  for (const [kind, times] of [...played.recoveries].toSorted(([a], [b]) => a.localeCompare(b))) {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0} ms`.padStart(9);
    say(`${kind.padEnd(34)}${String(times.length).padStart(5)}     ${at(0.5)}${at(0.99)}${at(1)}`);
  }
  say(
    `${refused} webhooks were refused; of the runs ${succeeded} succeeded and ${failed} failed; ${messages} messages were sent, ` +
      `${contradicted} contradict what is recorded`,
  );
  say(`acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, stuck ${stuck}, flagged ${flagged}`);
  const isProof = acknowledged > 0 && succeeded > acknowledged / 2;
  process.exitCode = lost + doubled + stuck + contradicted === 0 && isProof ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
