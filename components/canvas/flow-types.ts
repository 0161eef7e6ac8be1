import type { Edge, Node } from '@xyflow/react';
import type { Exit } from '#lib/tasks/exits.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import type { BranchColor } from '#lib/tasks/task-kind.ts';
import type { WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';

export type TaskNodeType = Node<
  {
    task: WorkflowTask;
    exits: readonly Exit[];
    /** Unconnected branches, joined by commas, so that the value is stable. */
    openExits: string;
    errors: number;
    warnings: number;
    /** The first problem's message. */
    problem: string | undefined;
    /** Of the run shown on the canvas. */
    status: TaskRunStatus | undefined;
    /** After-workflow callers are answered when the run reaches it. */
    answersHere: boolean;
    /** Runs of the draft do not execute it. */
    isPinned: boolean;
    isRenaming: boolean;
    /** The card that Tab focuses. */
    isTabStop: boolean;
  },
  'task'
>;

export type NoteNodeType = Node<{ note: WorkflowNote }, 'note'>;
export type FlowNode = TaskNodeType | NoteNodeType;

export type ExitEdgeType = Edge<
  {
    color: BranchColor;
    isDimmed: boolean;
    /** The button's position on the edge (place-buttons.ts). */
    buttonAt: number;
  },
  'exit'
>;
