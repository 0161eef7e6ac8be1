// The figures of a run as tables in Markdown, stored beside the JSON that has all of them.
import type { Cell, Compared } from './alternate.ts';
import { sumOf } from './memory.ts';
import type { BenchResults } from './results.ts';

interface Circumstances {
  at: string;
  machine: { cores: number; model: string | undefined; memoryGiB: number; node: string };
  roundSeconds: number;
  rounds: number;
}

/** One document with a table for each part that was measured. */
export function describeResults(results: BenchResults, { at, machine, ...load }: Circumstances): string {
  const { steps, growth, checks, memory } = results;
  const lines = [
    '# What `npm run bench` measured last',
    '',
    `Written by the command on ${at.slice(0, 10)}, on ${machine.cores} cores (${machine.model}, ${machine.memoryGiB} GiB, Node ${machine.node}) ` +
      `that the load generator shares; medians of ${load.rounds} rounds of ${load.roundSeconds} s in alternation.`,
  ];
  if (steps)
    lines.push(
      '',
      '## Steps',
      '',
      ...tableOf(['tasks', 'answered', 'connections'], steps, ({ tasks, mode, connections }) => [
        `${tasks}`,
        mode === 'after' ? 'after the workflow' : 'immediately',
        `${connections}`,
      ]),
    );
  if (growth)
    lines.push(
      '',
      '## As work grows',
      '',
      ...tableOf(['what', 'how much'], growth, ({ axis, value }) => [
        axis === 'kilobytes' ? 'KB of body' : axis,
        value.toLocaleString('en'),
      ]),
    );
  if (checks)
    lines.push(
      '',
      '## Checks of the caller',
      '',
      ...tableOf(['check', 'KB of body'], checks, ({ check, kilobytes }) => [
        check === 'none' ? 'none' : 'HMAC-SHA-256 over the body',
        `${kilobytes}`,
      ]),
    );
  if (memory)
    lines.push(
      '',
      '## Memory',
      '',
      '| product | idle, MB | under load, MB | by process, idle / under load |',
      '|---|---|---|---|',
      ...memory.map(({ system, idle, underLoad }) => {
        const parts = Object.keys(idle).map((part) => `${part} ${idle[part]} / ${underLoad[part]}`);
        return row([system, `${sumOf(idle)}`, `${sumOf(underLoad)}`, parts.join(', ')]);
      }),
    );
  return `${lines.join('\n')}\n`;
}

const FIGURES = [
  'product',
  'answered/s',
  'executed/s',
  'p50 ms',
  'p99 ms',
  'processor time for a webhook, µs',
  'load generator, µs',
];

function tableOf<Name>(
  heads: string[],
  cells: readonly Cell<Name>[],
  describe: (cell: Name) => string[],
): string[] {
  const columns = [...heads, ...FIGURES];
  return [
    row(columns),
    `|${'---|'.repeat(columns.length)}`,
    ...cells.flatMap(({ cell, systems }) =>
      systems.map((compared) => row([...describe(cell), ...figuresOf(compared)])),
    ),
  ];
}

function figuresOf({ system, median }: Compared): string[] {
  const parts = Object.entries(median.microseconds).map(([part, value]) => `${part} ${value.toFixed(0)}`);
  const total = median.totalMicroseconds.toFixed(0);
  const failed =
    median.errors + median.left > 0 ? ` (errors ${median.errors}, not executed ${median.left})` : '';
  return [
    system,
    median.requestsPerSecond.toFixed(0) + failed,
    median.executedPerSecond.toFixed(0),
    median.p50Ms.toFixed(2),
    median.p99Ms.toFixed(2),
    parts.length > 1 ? `${total} (${parts.join(', ')})` : total,
    median.generatorMicroseconds.toFixed(0),
  ];
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
