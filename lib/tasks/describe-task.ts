import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { withoutTaskIds } from '#lib/variables/task-names.ts';
import { findTaskKind } from './kinds.ts';
import { offerOf } from './offers.ts';

const MAX_CHARACTERS = 160;

/**
 * A task's action and its object, in one line below its name: "Send template · order_confirmation → {{phone}}". Parts that are
 * in the name are left out; variables are without the ids of their tasks. What a trigger says needs no other words: "Message with “table”". A task
 * that calls a workflow: "Calls “Send invoice”".
 * @param workflowNames names of called workflows, as far as known, by id
 */
export function describeTask(
  task: Pick<WorkflowTask, 'type' | 'name' | 'settings'>,
  workflowNames?: ReadonlyMap<string, string>,
): string {
  const offer = offerOf(task);
  const kind = findTaskKind(task.type);
  const what = offer?.name ?? task.type;
  const called = workflowNames?.get(kind?.calls?.(task.settings) ?? '');
  if (called !== undefined) return `Calls “${called}”`.slice(0, MAX_CHARACTERS);
  const detail = withoutTaskIds(withoutSecretIds(kind?.describe?.(task.settings) ?? ''))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_CHARACTERS);
  if (kind?.isTrigger && detail !== '') return detail;
  if (isCalled(task.name, what)) return detail === '' ? (offer?.summary ?? '') : detail;
  return detail === '' ? what : `${what} · ${detail}`;
}

/** Whether the name is the editor's default: "Delay", "Delay 2". */
const isCalled = (name: string, what: string): boolean =>
  name.startsWith(what) && /^( \d+)?$/.test(name.slice(what.length));
