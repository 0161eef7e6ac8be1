import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { withoutTaskIds } from '#lib/variables/task-names.ts';
import { findTaskKind } from './kinds.ts';
import { offerOf } from './offers.ts';

const MAX_CHARACTERS = 160;

/**
 * What a task does and on what, in one line below its name: "Send template · order_confirmation → {{phone}}". What the
 * name says already is left out; variables stand without the ids of their tasks.
 */
export function describeTask(task: Pick<WorkflowTask, 'type' | 'name' | 'settings'>): string {
  const offer = offerOf(task);
  const kind = findTaskKind(task.type);
  const what = offer?.name ?? task.type;
  const detail = withoutTaskIds(withoutSecretIds(kind?.describe?.(task.settings) ?? ''))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_CHARACTERS);
  if (isCalled(task.name, what)) return detail === '' ? (offer?.summary ?? '') : detail;
  return detail === '' ? what : `${what} · ${detail}`;
}

/** Whether the name is what the editor gave it: "Delay", "Delay 2". */
const isCalled = (name: string, what: string): boolean =>
  name.startsWith(what) && /^( \d+)?$/.test(name.slice(what.length));
