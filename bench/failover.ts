// `npm run failover -- --plan failover --rounds 2`: the product on several machines and on a database that fails over (see
// ops/ha/README.md). Linux and root only. Exits with an error unless all requirements are met.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playFailovers } from './failover/play-failovers.ts';
import { playKills } from './failover/play-kills.ts';
import { findViolations, keepResult } from './failover/report.ts';
import { describeMissing } from './needed-programs.ts';
import { FAILOVER_PROGRAMS } from './proof/parts.ts';

const { values } = parseArgs({
  options: {
    plan: { type: 'string', default: 'failover' },
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    pooled: { type: 'boolean', default: false },
    'keep-logs': { type: 'boolean', default: false },
  },
});
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const isPooled = values.pooled;

const missing = describeMissing(FAILOVER_PROGRAMS);
if (missing !== undefined) {
  say(missing);
  process.exit(1);
}
// The end of the process removes them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await buildIfNeeded(root, say, new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-failover-'));
chmodSync(folder, 0o711);
try {
  const played =
    values.plan === 'kills'
      ? await playKills(folder, { seconds: Number(values.seconds), seed: Number(values.seed), isPooled })
      : await playFailovers(folder, { rounds: Number(values.rounds), isPooled, say });
  say(JSON.stringify(played, null, 2));
  keepResult(`${values.plan}${isPooled ? ', PgBouncer' : ''}`, played);
  const violations = findViolations(played);
  for (const violation of violations) say(`NOT TRUE: ${violation}`);
  const { acknowledged, lost, doubled, stuck, flagged } = played;
  say(`acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, stuck ${stuck}, flagged ${flagged}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  if (values['keep-logs']) say(`The logs are in ${folder}/logs`);
  else rmSync(folder, { recursive: true, force: true });
}
