'use client';
import type { NodeProps } from '@xyflow/react';
import { memo, use } from 'react';
import { cx } from '#components/ui/cx.ts';
import { updateNote } from '#lib/editor/canvas/commands.ts';
import { CanvasMode } from './canvas-mode.ts';
import { ExitEdge } from './exit.tsx';
import { TaskNode } from './task-node.tsx';
import type { NoteNodeType } from './to-flow.ts';

/** A note on the canvas. */
const NoteNode = memo(function NoteNode({ data, selected }: NodeProps<NoteNodeType>) {
  const editor = use(CanvasMode);
  const { id, text } = data.note;
  return (
    <div
      data-note-id={id}
      className={cx(
        'w-56 rounded-md border bg-warning-soft p-1 shadow-raised',
        selected ? 'border-accent' : 'border-warning/30',
      )}
    >
      <div aria-hidden className="mb-0.5 h-2 cursor-grab" />
      {editor?.canEdit ? (
        <textarea
          aria-label="Note"
          value={text}
          placeholder="Write a note"
          maxLength={5000}
          rows={Math.min(12, Math.max(3, Math.ceil(text.length / 28) + text.split('\n').length - 1))}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
          className="nodrag nowheel block w-full resize-none rounded-sm bg-transparent px-2 pb-1 text-sm outline-offset-0 placeholder:text-muted"
          onChange={(event) =>
            editor.run(
              'Write a note',
              (document) => updateNote(document, id, event.target.value),
              `note:${id}`,
            )
          }
        />
      ) : (
        <p className="px-2 pb-1 text-sm whitespace-pre-wrap">{text}</p>
      )}
    </div>
  );
});

// One object for all canvases: React Flow renders everything again when it changes.

export const NODE_TYPES = { task: TaskNode, note: NoteNode };
export const EDGE_TYPES = { exit: ExitEdge };

export const FIT_OPTIONS = { padding: 0.2, maxZoom: 1, minZoom: 0.05 };
export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;
