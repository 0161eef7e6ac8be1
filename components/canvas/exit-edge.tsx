'use client';
import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo, use } from 'react';
import { parseEdgeKey } from '#lib/engine/graph.ts';
import { pointOfEdge } from '#lib/editor/canvas/place-buttons.ts';
import { CanvasMode } from './canvas-mode.ts';
import { EXIT_COLORS } from './exit-look.ts';
import type { ExitEdgeType } from './flow-types.ts';

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
