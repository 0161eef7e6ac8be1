// The requirements of a play, and where its figures are stored.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describeMachine } from '../machine.ts';
import type { Failovers } from './play-failovers.ts';
import type { Kills } from './play-kills.ts';

const FILE = new URL('../results/failover.json', import.meta.url).pathname;
/** Maximum time until webhooks are accepted again. */
const ACCEPTED_AGAIN_MS = 30_000;

/** Unmet requirements, as text. */
export function findViolations(played: Failovers | Kills): string[] {
  const zeros = ['lost', 'doubled', 'stuck', 'foreign', 'contradicted', 'ended'] as const;
  const violations = zeros.filter((name) => played[name] > 0).map((name) => `${played[name]} ${name}`);
  if (played.acknowledged === 0 || played.succeeded < played.acknowledged / 2)
    violations.push(`only ${played.succeeded} of ${played.acknowledged} runs succeeded`);
  if ('failedTwice' in played) {
    if (played.failedTwice > 0) violations.push(`${played.failedTwice} requests failed twice`);
    return violations;
  }
  for (const { fault, acceptedAgainMs } of played.failovers)
    if (acceptedAgainMs > ACCEPTED_AGAIN_MS)
      violations.push(`${fault}: webhooks were accepted again after ${acceptedAgainMs} ms`);
  return violations;
}

/** Writes the figures beside those of the other plans. */
export function keepResult(plan: string, played: Failovers | Kills): void {
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>) : {};
  kept[plan] = { at: new Date().toISOString(), machine: describeMachine(), ...played };
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}
