import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { ConnectionUse } from '#lib/messaging/schema/fact-types.ts';
import { listConnectionIds, listPicked, readPicks } from './picks.ts';
import { hasVariables } from './setting-values.ts';

/** The resources that tasks use with each connection; values that are only known in a run are left out. */
export function listConnectionUses(
  tasks: readonly Pick<WorkflowTask, 'type' | 'settings'>[],
): ConnectionUse[] {
  const uses = new Map<string, { accountIds: Set<string>; templateNames: Set<string> }>();
  for (const task of tasks) {
    for (const id of listConnectionIds(task).filter((each) => !hasVariables(each))) {
      const use = uses.get(id) ?? { accountIds: new Set(), templateNames: new Set() };
      uses.set(id, use);
      for (const { from, value } of listPicked(task)) {
        const isKnown = typeof value === 'string' && value !== '' && !hasVariables(value);
        if (from === 'business_account' && isKnown) use.accountIds.add(value.trim());
      }
      for (const { value } of readPicks(task).templates) use.templateNames.add(value);
    }
  }
  return [...uses].map(([connectionId, { accountIds, templateNames }]) => ({
    connectionId,
    accountIds: [...accountIds].sort(),
    templateNames: [...templateNames].sort(),
  }));
}
