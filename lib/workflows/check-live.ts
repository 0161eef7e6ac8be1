// Checks a workflow's connections, numbers and message templates with the platform.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Problem } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform } from '#lib/messaging/connections/platform-facts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { checkPicks } from '#lib/tasks/check-picks.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';

type Tasks = Pick<WorkflowGraph, 'tasks'>;

/** Problems of a workflow's tasks by path, as from `checkGraph`. */
const listLiveProblems = ({ tasks }: Tasks, facts: PlatformFacts): Problem[] =>
  tasks.flatMap((task, index) =>
    checkPicks(task, facts).map(({ path, message }) => ({ path: `tasks[${index}].${path}`, message })),
  );

/** Queries the platform now, once per connection, and returns problems; none for what it did not answer. */
export async function checkLive(ctx: Context, graph: Tasks): Promise<Problem[]> {
  const uses = listConnectionUses(graph.tasks);
  if (uses.length === 0) return [];
  return listLiveProblems(graph, await checkPlatform(toMessagingContext(ctx), uses, 0));
}
