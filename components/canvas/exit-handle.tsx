'use client';
import { Handle, Position } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { use } from 'react';
import { CanvasMode } from './canvas-mode.ts';
import { EXIT_COLORS } from './exit-look.ts';
import { handleOf } from './to-flow.ts';
import type { Exit } from '#lib/tasks/exits.ts';

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
