import { describeForGraph } from '#lib/tasks/branches-of.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { reachedPart } from '#lib/engine/graph.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { AppError } from '#lib/core/errors.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { loadFurtherChecks } from '#lib/tasks/load-further-checks.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { titleOfSetting } from '#lib/tasks/title-of-setting.ts';

export interface RunnableDraft {
  graph: WorkflowGraph;
  /** By task id: why the task fails when it is executed. */
  refusals: Record<number, string>;
}

/**
 * The part of a draft that can run: the tasks that the trigger leads to, with defaults filled in. An incomplete task does not
 * prevent a run: it fails when it is executed, with the message of the publish check.
 * @throws AppError `invalid_workflow` where the graph itself cannot be executed
 */
export async function toRunnableDraft(draft: WorkflowGraph): Promise<RunnableDraft> {
  const { tasks, edges } = reachedPart(draft, ({ type }) => isTriggerType(type));
  const problems = validateGraph({ tasks, edges }, ({ type, settings }) =>
    describeForGraph(findTaskDefinition(type), settings),
  );
  if (problems.length > 0)
    throw new AppError('invalid_workflow', `The draft cannot run: ${problems[0]?.message ?? ''}`, {
      problems,
    });
  const furtherChecks = await loadFurtherChecks(tasks);
  const refusals: Record<number, string> = {};
  const completed = tasks.map((task): WorkflowTask => {
    const definition = findTaskDefinition(task.type);
    if (!definition) return task;
    const checked = checkSettings(definition, task.settings, 'publish', furtherChecks);
    const [problem] = checked.problems;
    if (problem) {
      const title = titleOfSetting(definition.settings, problem.path);
      refusals[task.id] = title === undefined ? problem.message : `${title}: ${problem.message}`;
    }
    return checked.settings ? { ...task, settings: checked.settings } : task;
  });
  return { graph: { tasks: completed, edges }, refusals };
}
