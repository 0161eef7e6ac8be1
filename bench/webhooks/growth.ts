// The cost of a webhook as its work grows: more tasks, larger bodies, more workflows. Answered immediately.
import { FIVE_TASKS, makeFlow } from '../workflows.ts';
import { alternate, type Cell } from './alternate.ts';
import { assertSameAnswers } from './compare-answers.ts';
import { makeBody } from './make-body.ts';
import type { BenchOptions } from './options.ts';
import { type Contestant, type Flows, startAll, stopAll } from './system.ts';

const TASKS = [1, 5, 20, 50];
const KILOBYTES = [1, 10, 100];
const WORKFLOWS = [1, 100, 10_000];
const CONNECTIONS = 32;

export interface GrowthCell {
  axis: 'tasks' | 'kilobytes' | 'workflows';
  value: number;
}

interface Point {
  cell: GrowthCell;
  flow: string;
  body?: string;
}

/** Measures each point of each axis; the other two stay at five tasks, 800 bytes and one workflow. */
export async function measureGrowth(
  contestants: readonly Contestant[],
  options: BenchOptions,
  say: (line: string) => void,
): Promise<Cell<GrowthCell>[]> {
  const flows = Object.fromEntries(
    TASKS.map((tasks) => [`tasks-${tasks}`, { graph: makeFlow(tasks, 'immediate') }]),
  );
  const points: Point[] = [
    ...TASKS.map((value): Point => ({ cell: { axis: 'tasks', value }, flow: `tasks-${value}` })),
    ...KILOBYTES.map((value): Point => ({
      cell: { axis: 'kilobytes', value },
      flow: 'tasks-5',
      body: makeBody(value),
    })),
  ];
  const cells = await measurePoints(contestants, flows, points, options, say);
  for (const value of WORKFLOWS) {
    const point: Point = { cell: { axis: 'workflows', value }, flow: 'many' };
    const many = { many: { graph: FIVE_TASKS, copies: value } };
    const able = contestants.filter(({ mostCopies = Infinity }) => value <= mostCopies);
    cells.push(...(await measurePoints(able, many, [point], options, say)));
  }
  return cells;
}

async function measurePoints(
  contestants: readonly Contestant[],
  flows: Flows,
  points: readonly Point[],
  { rounds, roundSeconds: seconds }: BenchOptions,
  say: (line: string) => void,
): Promise<Cell<GrowthCell>[]> {
  const systems = await startAll(contestants, flows);
  try {
    for (const flow of Object.keys(flows)) await assertSameAnswers(systems, flow);
    const cells = points.map(({ cell, ...load }) => ({
      cell,
      title: `${cell.value} ${cell.axis}`,
      load: { ...load, connections: CONNECTIONS, seconds },
    }));
    return await alternate(systems, cells, rounds, say);
  } finally {
    await stopAll(systems);
  }
}
