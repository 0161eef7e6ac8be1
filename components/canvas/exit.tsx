'use client';
import { BaseEdge, type EdgeProps, getBezierPath, Handle, Position } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { memo, use } from 'react';
import { pointOfEdge } from '#lib/editor/canvas/place-buttons.ts';
import { parseEdgeKey } from '#lib/engine/graph.ts';
import type { Exit } from '#lib/tasks/exits.ts';
import type { BranchColor } from '#lib/tasks/task-kind.ts';
import { CanvasMode } from './canvas-mode.ts';
import { type ExitEdgeType, handleOf } from './to-flow.ts';

/** The color of an exit and its edges. */
const EXIT_COLORS: Readonly<Record<BranchColor, string>> = {
  plain: 'var(--color-line-strong)',
  positive: 'var(--color-cable-green)',
  negative: 'var(--color-cable-amber)',
  repeat: 'var(--color-cable-violet)',
  failed: 'var(--color-danger)',
};

const BUTTON_RADIUS_PX = 9;

/** An edge from an exit to a task, with a button that inserts a task. */
export const ExitEdge = memo(function ExitEdge(props: EdgeProps<ExitEdgeType>) {
  const editor = use(CanvasMode);
  const [path] = getBezierPath(props);
  const button = pointOfEdge(
    { x: props.sourceX, y: props.sourceY },
    { x: props.targetX, y: props.targetY },
    props.data?.buttonAt ?? 0.5,
  );
  const style = {
    stroke: props.selected ? 'var(--color-accent)' : EXIT_COLORS[props.data?.color ?? 'plain'],
    strokeWidth: props.selected ? 3 : 2,
    opacity: props.data?.isDimmed ? 0.35 : 1,
  };
  return (
    <>
      <BaseEdge id={props.id} path={path} style={style} interactionWidth={18} />
      {editor?.canEdit && (
        <g
          aria-hidden
          data-insert-on={props.id}
          className="cursor-pointer fill-surface stroke-line-strong text-muted hover:fill-accent hover:stroke-accent hover:text-accent-ink"
          transform={`translate(${button.x} ${button.y})`}
          onClick={(event) => {
            event.stopPropagation();
            editor.store.set({ pickingFor: { kind: 'between', edge: parseEdgeKey(props.id) } });
          }}
        >
          <title>Add a task here</title>
          <circle r={BUTTON_RADIUS_PX} />
          <path d="M-4 0h8M0-4v8" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </g>
      )}
    </>
  );
});

export interface ExitHandleProps {
  taskId: number;
  exit: Exit;
  /** Pixels from the top of the card. */
  top: number;
  /** No task is connected yet. */
  isOpen: boolean;
}

/** Starting point of edges; while nothing is connected, a button that adds the next task. */
export function ExitHandle({ taskId, exit: { branch, label, color }, top, isOpen }: ExitHandleProps) {
  const editor = use(CanvasMode);
  return (
    <>
      <Handle
        type="source"
        id={handleOf(branch)}
        position={Position.Right}
        data-exit={handleOf(branch)}
        className="!size-3 !rounded-full !border-2 !bg-surface"
        style={{ top, borderColor: EXIT_COLORS[color] }}
      />
      {isOpen && editor?.canEdit && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={label ? `Add a task after "${label}"` : 'Add a task after this one'}
          onClick={(event) => {
            event.stopPropagation();
            editor.store.set({ pickingFor: { kind: 'after', from: taskId, branch } });
          }}
          style={{ top: top - 10, left: '100%' }}
          className="nodrag nopan absolute ml-4 flex size-5 items-center justify-center rounded-full border border-line-strong bg-surface text-muted transition-colors hover:border-accent hover:bg-accent hover:text-accent-ink"
        >
          <Plus aria-hidden className="size-3.5" />
        </button>
      )}
    </>
  );
}
