// `npm run proof`: the long proofs one after another, with one table at the end: required for a release. Parts that have passed
// on this commit are not repeated; `-- chaos failover` runs only those parts, `-- --again` all of them. Exits with an error
// unless every part has passed.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { describeMissing } from './needed-programs.ts';
import { onStop } from './on-stop.ts';
import { type Part, PARTS } from './proof/parts.ts';
import { hasPassed, isComplete, type Outcome, summaryOf, toProofTable } from './proof/table.ts';

/** Time for the cleanup of a part that is stopped. */
const GRACE_MS = 60_000;

const { values, positionals } = parseArgs({
  options: { again: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const root = join(import.meta.dirname, '..');
const folder = join(root, '.data', 'proof');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. The parts are ${PARTS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const outcomesFile = join(folder, `${nameOfSources()}.json`);
const outcomes = values.again ? {} : readOutcomes();
const chosen = PARTS.filter(
  ({ name }) =>
    (positionals.length === 0 || positionals.includes(name)) &&
    (positionals.length > 0 || outcomes[name]?.passed !== true),
);

// Reported before the first part starts: the rest may take hours.
for (const part of chosen) {
  const missing = describeMissing(part.needs ?? []);
  if (missing === undefined) continue;
  keep(part, { passed: false, seconds: 0, said: missing });
  say(`${part.name} cannot be played. ${missing}`);
}
const playable = chosen.filter(({ needs }) => describeMissing(needs ?? []) === undefined);
if (playable.length > 0) await buildIfNeeded(root, say, new AbortController().signal);
for (const part of playable) {
  say(`${part.name}: ${part.shows} (at most ${part.minutes} minutes)`);
  keep(part, await play(part));
}
say('');
for (const line of toProofTable(PARTS, outcomes)) say(line);
process.exit(isComplete(PARTS, outcomes) ? 0 : 1);

/** Its output goes into a file beside the outcomes. */
async function play(part: Part): Promise<Outcome> {
  const startedAt = Date.now();
  const logFile = join(folder, `${part.name}.log`);
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, part.command, {
    cwd: root,
    env: { ...process.env, ...part.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const giveUp = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(giveUp);
  };
  const forget = onStop(stop);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    void stop();
  }, part.minutes * 60_000);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const code = await ended;
  clearTimeout(deadline);
  forget();
  log.end();
  await finished(log);
  const printed = readFileSync(logFile, 'utf8');
  return {
    passed: !isLate && hasPassed(part, code, printed),
    seconds: (Date.now() - startedAt) / 1000,
    said: isLate ? `not done after ${part.minutes} minutes, see ${logFile}` : summaryOf(printed),
  };
}

function keep({ name }: Part, outcome: Outcome): void {
  outcomes[name] = outcome;
  writeFileSync(outcomesFile, `${JSON.stringify(outcomes, null, 2)}\n`);
}

function readOutcomes(): Record<string, Outcome> {
  try {
    return JSON.parse(readFileSync(outcomesFile, 'utf8')) as Record<string, Outcome>;
  } catch {
    return {};
  }
}

/** The commit, and later changes; files that the parts write do not count. */
function nameOfSources(): string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 });
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  const changed = git('diff', 'HEAD', '--', '.', ':!bench/results');
  return changed === ''
    ? commit
    : `${commit}-${createHash('sha256').update(changed).digest('hex').slice(0, 8)}`;
}
