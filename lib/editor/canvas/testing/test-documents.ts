// Initial workflows of canvas tests.
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { CanvasDocument } from '../document.ts';

export const task = (id: number, type: string, more: Partial<WorkflowTask> = {}): WorkflowTask => ({
  id,
  type,
  name: `${type} ${id}`,
  settings: {},
  position: { x: id * 344, y: 0 },
  ...more,
});

/** A trigger, a condition, and a delay after its true exit: ids 1 to 3. */
export const drawing = (
  tasks: WorkflowTask[] = [task(1, 'inbound_webhook'), task(2, 'if_condition'), task(3, 'delay')],
  edges: WorkflowEdge[] = [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
  ],
): CanvasDocument => ({ name: 'Drawing', tasks, edges, notes: [] });
