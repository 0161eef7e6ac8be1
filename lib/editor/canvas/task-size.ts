import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { exitsOf } from '#lib/tasks/exits.ts';

// Width of a task's card, for layout and rendering.
export const TASK_WIDTH_PX = 248;
export const TASK_HEADER_PX = 60;
/** Size of a note without text; it grows with its text. */
export const NOTE_SIZE_PX = { width: 224, height: 92 };
/** Distance between columns of tasks. */
export const BETWEEN_RANKS_PX = 96;
export const EXIT_ROW_PX = 26;
const EXITS_PADDING_PX = 8;

/** With several exits each has its own row. */
export function taskSize(task: Pick<WorkflowTask, 'type' | 'settings' | 'on_failure'>): {
  width: number;
  height: number;
} {
  const { length } = exitsOf(task);
  const rows = length > 1 ? length * EXIT_ROW_PX + EXITS_PADDING_PX : 0;
  return { width: TASK_WIDTH_PX, height: TASK_HEADER_PX + rows };
}

/** From a card's top to where edges enter it. */
export const IN_TOP_PX = TASK_HEADER_PX / 2;

/** From a card's top to one of its exits. */
export const exitTop = (
  task: Pick<WorkflowTask, 'type' | 'settings' | 'on_failure'>,
  index: number,
): number =>
  exitsOf(task).length === 1
    ? TASK_HEADER_PX / 2
    : TASK_HEADER_PX + 3 + (Math.max(index, 0) + 0.5) * EXIT_ROW_PX;
