// Helpers for workflow starters: tasks are in a row from left to right, branches below each other.
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';

const COLUMN_PX = 300;
const ROW_PX = 160;

/** A task at a position of the grid. */
export const task = (
  id: number,
  type: string,
  name: string,
  place: [column: number, row: number],
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => ({
  id,
  type,
  name,
  settings,
  ...more,
  position: { x: place[0] * COLUMN_PX, y: place[1] * ROW_PX },
});

export const trigger = (name: string, settings: Record<string, unknown> = {}): WorkflowTask =>
  task(1, 'inbound_webhook', name, [0, 0], {
    response_type: 'immediate',
    response_body: '{"status":"received"}',
    ...settings,
  });

/** A task of the messaging platform; the user selects account and number. */
export const messaging = (
  id: number,
  name: string,
  place: [column: number, row: number],
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => task(id, 'messaging_business', name, place, settings, more);

export const edge = (from: number, to: number, branch?: string): WorkflowEdge =>
  branch === undefined ? { from, to } : { from, to, branch };
