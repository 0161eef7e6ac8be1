// The options of `npm run bench` (bench/README.md, "Choosing what is measured").
import { parseArgs } from 'node:util';
import type { AnswerMode } from '../workflows.ts';

const ROWS = 'abcdefghijk';
const PARTS = ['rows', 'steps', 'growth', 'checks', 'memory'] as const;
type Part = (typeof PARTS)[number];

export interface BenchOptions {
  parts: ReadonlySet<Part>;
  /** Letters of the table in bench/README.md. */
  rows: ReadonlySet<string>;
  /** Of one measurement of a row. */
  seconds: number;
  /** Of one measurement of steps or growth. */
  roundSeconds: number;
  rounds: number;
  backlog: number;
  /** Changes of each measurement of notifications. */
  notifications: number;
  /** Messages of each measurement of sends. */
  messages: number;
  /** Of the list that one run sends to. */
  recipients: number;
  /** Plain webhooks a second that come in beside messages and their statuses. */
  plainRate: number;
  /** In one notification beside them, at most. */
  statusesPerRequest: number;
  /** Over which the platform reports them. */
  reportingConnections: number;
  steps: readonly number[];
  modes: readonly AnswerMode[];
  connections: readonly number[];
  /** Messages in the workspace of (h) before it is measured. */
  filled: number;
  withPeers: boolean;
  /** A setting that is `on` or `off`: Patchbay is measured with both. */
  compared?: string;
  /** Nothing was left out or shortened: the results are stored. */
  isComplete: boolean;
}

/** @throws Error for an unknown option. */
export function readOptions(
  argv: readonly string[],
  environment: Record<string, string | undefined>,
): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { peers: { type: 'boolean', default: false }, compare: { type: 'string' } },
  });
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => /^BENCH_/.test(name) && value !== ''),
  );
  const numbers = (name: string, standard: readonly number[]): number[] =>
    (given[name]?.split(',') ?? standard).map(Number).map((number) => {
      if (Number.isInteger(number) && number > 0) return number;
      throw new Error(`${name} takes whole numbers above 0, not "${given[name]}".`);
    });
  const number = (name: string, standard: number): number => numbers(name, [standard])[0] ?? standard;
  return {
    ...readParts(given.BENCH_ONLY),
    seconds: number('BENCH_SECONDS', 10),
    roundSeconds: number('BENCH_ROUND_SECONDS', 5),
    rounds: number('BENCH_ROUNDS', 3),
    backlog: number('BENCH_BACKLOG', 50_000),
    notifications: number('BENCH_NOTIFICATIONS', 5000),
    messages: number('BENCH_MESSAGES', 5000),
    recipients: number('BENCH_RECIPIENTS', 2000),
    plainRate: number('BENCH_PLAIN_RATE', 500),
    statusesPerRequest: number('BENCH_STATUSES_PER_REQUEST', 1),
    reportingConnections: number('BENCH_REPORTING_CONNECTIONS', 32),
    filled: given['BENCH_FILLED'] === undefined ? 0 : number('BENCH_FILLED', 0),
    steps: numbers('BENCH_STEPS', [1, 5, 20]),
    modes: readModes(given.BENCH_MODES),
    connections: numbers('BENCH_CONNECTIONS', [32, 128]),
    withPeers: values.peers,
    ...(values.compare === undefined ? {} : { compared: values.compare }),
    isComplete: values.peers && Object.keys(given).length === 0,
  };
}

function readParts(only: string | undefined): Pick<BenchOptions, 'parts' | 'rows'> {
  if (only === undefined) return { parts: new Set(PARTS), rows: new Set(ROWS) };
  const parts = new Set<Part>();
  const rows = new Set<string>();
  for (const word of only.split(',')) {
    const part = PARTS.find((name) => name === word);
    if (part) parts.add(part);
    else if (/^[a-k]+$/.test(word)) for (const row of word) rows.add(row);
    else throw new Error(`BENCH_ONLY takes letters from a to k, and ${PARTS.join(', ')}; not "${word}".`);
  }
  if (parts.has('rows')) for (const row of ROWS) rows.add(row);
  if (rows.size > 0) parts.add('rows');
  return { parts, rows };
}

function readModes(text: string | undefined): AnswerMode[] {
  return (text?.split(',') ?? ['immediate', 'after']).map((mode) => {
    if (mode === 'immediate' || mode === 'after') return mode;
    throw new Error(`BENCH_MODES takes immediate and after, not "${mode}".`);
  });
}
