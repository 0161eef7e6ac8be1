import type { WorkflowTask } from '#lib/engine/graph-types.ts';

/** Whether FURTHER_CHECKS look at something in these tasks: screens load their libraries only then. */
export const needsFurtherChecks = (tasks: readonly Pick<WorkflowTask, 'type' | 'settings'>[]): boolean =>
  tasks.some(({ type, settings }) => type === 'if_condition' && hasPattern(settings['conditions']));

const hasPattern = (conditions: unknown): boolean =>
  Array.isArray(conditions) &&
  conditions.some((condition: { operator?: unknown } | null) => condition?.operator === 'matches');
