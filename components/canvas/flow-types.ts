import type { Edge, Node } from '@xyflow/react';
import type { Exit } from '#lib/tasks/exits.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import type { BranchColor } from '#lib/tasks/task-kind.ts';
import type { WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';

export type TaskNodeType = Node<
  {
    task: WorkflowTask;
    exits: readonly Exit[];
    /** Branches that lead nowhere yet, joined by commas: a text stays the same while they do. */
    openExits: string;
    errors: number;
    warnings: number;
    /** The first problem's words. */
    problem: string | undefined;
    /** Of the run that is shown over the workflow. */
    status: TaskRunStatus | undefined;
    /** Callers who wait for the run's end are answered when it is reached. */
    answersHere: boolean;
    /** Runs of the draft do not execute it. */
    isPinned: boolean;
    isRenaming: boolean;
    /** The one that Tab leads to. */
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
    /** On which part of its way it has its button (place-buttons.ts). */
    buttonAt: number;
  },
  'exit'
>;
