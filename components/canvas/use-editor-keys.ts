// Keyboard shortcuts of the canvas (listed in shortcuts-dialog.tsx). Not in text fields and dialogs, except saving.
import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { moveItems, toggleDisabled } from '#lib/editor/canvas/commands.ts';
import { findTask, findTrigger } from '#lib/editor/canvas/document.ts';
import { type Direction, findNeighbour } from '#lib/editor/canvas/neighbour.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import type { Editor } from '#components/editor/editor.ts';
import { moveMs, WHOLE_DRAWING } from './fit-options.ts';
import { focusTask, isTyping } from '#components/editor/focus.ts';
import { splitIds, taskNodeId } from '#components/editor/node-ids.ts';
import { useSpot } from './use-spot.ts';

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const NUDGE_PX = 24;
const NUDGES: Readonly<Record<Direction, [number, number]>> = {
  left: [-NUDGE_PX, 0],
  right: [NUDGE_PX, 0],
  up: [0, -NUDGE_PX],
  down: [0, NUDGE_PX],
};

export function useEditorKeys(area: RefObject<HTMLElement | null>): void {
  const { editor, flush } = useEditorContext();
  const flow = useReactFlow();
  const findSpot = useSpot();
  useEffect(() => {
    const fit = () => void flow.fitView({ ...WHOLE_DRAWING, duration: moveMs() });
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = event.ctrlKey || event.metaKey;
      if (isTyping(event.target) && !(command && event.key.toLowerCase() === 's')) return;
      const isOnCanvas =
        event.target === document.body || area.current?.contains(event.target as Node) === true;
      const run = command
        ? findCommand(event, editor, () => void flush())
        : (findGlobal(event, editor) ??
          (isOnCanvas ? findOnCanvas(event, editor, findSpot, fit) : undefined));
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [area, editor, flow, findSpot, flush]);
}

type Run = (() => void) | undefined;

function findCommand(event: KeyboardEvent, editor: Editor, save: () => void): Run {
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? editor.redo : editor.undo;
  if (key === 'y') return editor.redo;
  if (key === 's') return save;
  if (key === 'f') return () => editor.store.set({ dialog: 'find' });
  if (key === 'a') return () => editor.selectAll();
  if (key === 'd') return () => editor.duplicateSelected();
  return undefined;
}

function findGlobal({ key }: KeyboardEvent, editor: Editor): Run {
  if (key === '?') return () => editor.store.set({ dialog: 'shortcuts' });
  if (key === 'Escape') return () => leave(editor);
  return undefined;
}

function leave(editor: Editor): void {
  const { openTaskId } = editor.state;
  if (openTaskId === undefined) editor.select([]);
  else {
    editor.closeTask();
    focusTask(openTaskId);
  }
}

function findOnCanvas(
  event: KeyboardEvent,
  editor: Editor,
  findSpot: ReturnType<typeof useSpot>,
  fit: () => void,
): Run {
  const { key } = event;
  const direction = ARROWS[key];
  if (direction) return event.altKey ? () => nudge(editor, direction) : () => goTo(editor, direction);
  const onCard = event.target instanceof Element && event.target.closest('[data-task-id]') === event.target;
  const pick = () => editor.store.set({ pickingFor: findSpot() });
  // Only from a task's card, and only forward: Tab can still enter the canvas and, with Shift, leave it.
  if (key === 'Tab') return onCard && !event.shiftKey && editor.canEdit ? pick : undefined;
  const chosen = editor.selectedTaskId;
  if (key === 'Enter') return onCard && chosen !== undefined ? () => editor.openTask(chosen, '') : undefined;
  if (key === '1' || key === 'f') return fit;
  if (!editor.canEdit) return undefined;
  if (key === '+') return pick;
  if (key === 'Delete' || key === 'Backspace') return () => removeAndStay(editor);
  if (key === 'F2' && chosen !== undefined) return () => editor.store.set({ renamingId: chosen });
  if (key === 'c' && chosen !== undefined) return () => editor.store.set({ connectingFrom: chosen });
  if (key === 'd') {
    const { taskIds } = splitIds(editor.state.selection);
    return () => editor.run('Skip or run a task', (document) => toggleDisabled(document, taskIds));
  }
  if (key === 'l') return () => void editor.arrange();
  return undefined;
}

function goTo(editor: Editor, direction: Direction): void {
  const from = splitIds(editor.state.selection).taskIds.at(-1);
  const to =
    from === undefined ? findTrigger(editor.document)?.id : findNeighbour(editor.document, from, direction);
  if (to === undefined) return;
  if (editor.state.openTaskId !== undefined) editor.openTask(to);
  else editor.select([taskNodeId(to)]);
  focusTask(to);
}

function nudge(editor: Editor, direction: Direction): void {
  const [dx, dy] = NUDGES[direction];
  const { taskIds } = splitIds(editor.state.selection);
  const places = taskIds.flatMap((id) => {
    const position = findTask(editor.document, id)?.position;
    return position ? [[id, { x: position.x + dx, y: position.y + dy }] as const] : [];
  });
  editor.run('Move', (document) => moveItems(document, new Map(places)), 'nudge');
}

/** Focuses a neighbor of the deleted item. */
function removeAndStay(editor: Editor): void {
  const [first] = splitIds(editor.state.selection).taskIds;
  const parent = editor.document.edges.find((edge) => edge.to === first)?.from;
  editor.removeSelected();
  const next = parent ?? findTrigger(editor.document)?.id;
  if (first === undefined || next === undefined || findTask(editor.document, first)) return;
  editor.select([taskNodeId(next)]);
  focusTask(next);
}
