// Random workflows: chains, forks, joins, loops in loops, waits, failures and effects.
import { DONE_BRANCH, EACH_BRANCH, FAILED_BRANCH, LIMIT_BRANCH } from '#lib/engine/graph-types.ts';
import type { WorkflowEdge, WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Random } from '#lib/testing/random.ts';
import { WAIT_RULES } from '#lib/engine/run-types.ts';
import { ASK, CALL, type Listens, type Script, SEND, STEP } from './tasks.ts';

const MAX_TASKS = 9;
const MAX_DEPTH = 2;
/** Effects are retried without limit: the outcome of a run must not depend on the faults. */
const MAX_ATTEMPTS = 1000;
/** Keys of waits and signals. */
export const KEYS = ['key 0', 'key 1', 'key 2'];
const FAR_MS = 30 * 86_400_000;

type Exit = Pick<WorkflowEdge, 'from' | 'branch'>;

/** A valid graph; its trigger is task 1. */
export function makeWorkflow(random: Random): WorkflowGraph {
  const trigger: WorkflowTask = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };
  const graph: WorkflowGraph = { tasks: [trigger], edges: [] };
  addTasks(graph, random, [{ from: 1 }], 1 + random.below(MAX_TASKS - 1), 0);
  return graph;
}

/** Adds tasks to exits, and exits of tasks. */
function addTasks(graph: WorkflowGraph, random: Random, exits: Exit[], count: number, depth: number): void {
  for (let made = 0; made < count && graph.tasks.length < MAX_TASKS; made += 1) {
    const task = makeTask(graph.tasks.length + 1, random, depth);
    graph.tasks.push(task);
    const parents = new Set([random.pick(exits)]);
    const entersLoop = [...parents].some(({ branch }) => branch === EACH_BRANCH);
    const others = exits.filter(({ branch }) => branch !== EACH_BRANCH);
    if (!entersLoop && others.length > 0 && random.chance(0.3)) parents.add(random.pick(others));
    for (const parent of parents) graph.edges.push({ ...parent, to: task.id });
    const { loop } = task.settings as Script;
    if (loop) {
      addTasks(graph, random, [{ from: task.id, branch: EACH_BRANCH }], 1 + random.below(3), depth + 1);
      exits.push({ from: task.id, branch: DONE_BRANCH });
      if ((task.settings as Script).untilPass) exits.push({ from: task.id, branch: LIMIT_BRANCH });
    } else if ((task.settings as Script).branch) {
      exits.push({ from: task.id, branch: 'true' }, { from: task.id, branch: 'false' });
    } else {
      exits.push({ from: task.id });
    }
    if (task.on_failure === 'branch') exits.push({ from: task.id, branch: FAILED_BRANCH });
  }
}

function makeTask(id: number, random: Random, depth: number): WorkflowTask {
  const name = `Task ${id}`;
  const task = (type: string, settings: Script): WorkflowTask => ({
    id,
    type,
    name,
    settings: { ...settings },
  });
  const kind = random.next();
  if (kind < 0.36) {
    const settings: Script = { effectMs: random.pick([1, 5, 400, 3000]) };
    if (random.chance(0.25)) settings.refusals = 1 + random.below(2);
    if (random.chance(0.05)) settings.losesAnswer = true;
    return { ...task(random.chance(0.7) ? SEND : CALL, settings), max_attempts: MAX_ATTEMPTS };
  }
  if (kind < 0.5) return task(ASK, makeAsk(random));
  if (kind < 0.6) return task(STEP, { waitMs: random.pick([30, 700, 7000]) });
  if (kind < 0.7 && depth < MAX_DEPTH) {
    const onItemFailure = random.pick(['stop', 'continue'] as const);
    const loop = { count: random.below(4), pauseSeconds: random.pick([0, 0.05, 6]), onItemFailure };
    const atOnce = 1 + (id % 3);
    const until = { untilPass: 1 + (id % 4), passName: `task_${id}_round` };
    return task(STEP, { loop: { ...loop, atOnce }, ...(id % 2 === 0 ? until : {}) });
  }
  if (kind < 0.8) {
    const onFailure = random.pick(['stop', 'continue', 'branch'] as const);
    return { ...task(STEP, { fails: true }), on_failure: onFailure };
  }
  return task(STEP, random.chance(0.4) ? { branch: random.pick(['true', 'false']) } : {});
}

/** A wait without a certain answer has a deadline; otherwise it would outlast the simulation. */
function makeAsk(random: Random): Script {
  const isAnswered = random.chance(0.7);
  const deadlineMs = isAnswered && random.chance(0.7) ? FAR_MS : random.pick([40, 900, 8000]);
  const atDeadline = Math.max(0, deadlineMs + random.below(12) - 8);
  const answers = deadlineMs === FAR_MS ? [0, 3, 60, 5000] : [0, 3, atDeadline, atDeadline];
  const repeats = random.pick([0, 0, 1, 2]);
  const listens: Listens = {
    key: random.pick(KEYS),
    rule: random.pick(WAIT_RULES),
    // Only a wait with a pause is open until its run continues.
    quietMs: random.pick(repeats > 0 ? [1, 1, 50, 3000] : [0, 0, 50, 3000]),
    deadlineMs,
    reminders: deadlineMs === FAR_MS ? 0 : random.below(3),
    repeats,
    ...(isAnswered ? { answerMs: random.pick(answers) } : {}),
  };
  return { listens, ...(random.chance(0.6) ? { effectMs: random.pick([1, 5, 400]) } : {}) };
}
