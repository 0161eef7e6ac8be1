import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { FurtherChecks } from './check-settings.ts';
import { findTaskDefinition } from './registry.ts';
import type { CheckMore } from './task-definition.ts';

const loaded = new Map<string, CheckMore>();

/**
 * The further checks of task types that some of these tasks need, for `checkSettings`; undefined while they need none.
 * Each is loaded once, and the answer is the same object as long as there is one.
 */
export async function loadFurtherChecks(
  tasks: readonly Pick<WorkflowTask, 'type' | 'settings'>[],
): Promise<FurtherChecks | undefined> {
  let isNeeded = false;
  for (const { type, settings } of tasks) {
    const check = findTaskDefinition(type)?.furtherCheck;
    if (!check?.isNeeded(settings)) continue;
    isNeeded = true;
    if (!loaded.has(type)) loaded.set(type, await check.load());
  }
  return isNeeded ? loaded : undefined;
}
