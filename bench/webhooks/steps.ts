// Flows of one, five and twenty tasks, answered immediately and after the workflow, with everything executing.
import { type AnswerMode, makeFlow } from '../workflows.ts';
import { alternate, type Cell } from './alternate.ts';
import { assertSameAnswers } from './compare-answers.ts';
import type { BenchOptions } from './options.ts';
import { type Contestant, startAll, stopAll } from './system.ts';

export interface StepsCell {
  tasks: number;
  mode: AnswerMode;
  connections: number;
}

/** Measures each cell with each contestant. */
export async function measureSteps(
  contestants: readonly Contestant[],
  options: BenchOptions,
  say: (line: string) => void,
): Promise<Cell<StepsCell>[]> {
  const kinds = options.steps.flatMap((tasks) => options.modes.map((mode) => ({ tasks, mode })));
  const flows = Object.fromEntries(
    kinds.map(({ tasks, mode }) => [nameOf(tasks, mode), { graph: makeFlow(tasks, mode) }]),
  );
  const systems = await startAll(contestants, flows);
  try {
    for (const flow of Object.keys(flows)) await assertSameAnswers(systems, flow);
    const cells = kinds.flatMap(({ tasks, mode }) =>
      options.connections.map((connections) => ({
        cell: { tasks, mode, connections },
        title: `${tasks} ${tasks === 1 ? 'task' : 'tasks'}, ${mode}, ${connections} connections`,
        load: { flow: nameOf(tasks, mode), connections, seconds: options.roundSeconds },
      })),
    );
    return await alternate(systems, cells, options.rounds, say);
  } finally {
    await stopAll(systems);
  }
}

const nameOf = (tasks: number, mode: AnswerMode): string => `${mode}-${tasks}`;
