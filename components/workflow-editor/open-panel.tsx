'use client';
import { Suspense, useEffect } from 'react';
import { SidePart } from '#components/canvas/side-part.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { MissingPartText } from '#components/ui/missing-part.tsx';
import { TOAST_RIGHT } from '#components/ui/toast-place.ts';
import { onDemand } from '#components/ui/on-demand.tsx';

const TaskPanel = onDemand(
  async () => (await import('#components/task-panel/task-panel.tsx')).TaskPanel,
  (props) => (
    <div className="size-full bg-surface p-4">
      <MissingPartText {...props} />
    </div>
  ),
);

/** The panel of the open task, beside the canvas; on phones it fills the screen. */
export function OpenPanel() {
  const editor = useEditor();
  const taskId = useEditorState((state) => state.openTaskId);
  useToastsBeside(taskId !== undefined);
  if (taskId === undefined) return null;
  return (
    <SidePart
      part="panelPx"
      className="max-md:fixed max-md:inset-x-0 max-md:top-0 max-md:bottom-(--bar-height) max-md:z-30 md:border-l md:border-line"
    >
      <Suspense fallback={<div className="size-full bg-surface max-md:hidden" />}>
        <TaskPanel key={taskId} taskId={taskId} onDismiss={editor.closeTask} />
      </Suspense>
    </SidePart>
  );
}

const GAP_PX = 24;

/** Moves toasts beside the open panel, away from its fields. */
function useToastsBeside(isOpen: boolean): void {
  const widthPx = useEditorState((state) => state.widths.panelPx);
  useEffect(() => {
    if (!isOpen) return;
    const { style } = document.documentElement;
    style.setProperty(TOAST_RIGHT, `calc(min(${widthPx}px, 60vw) + ${GAP_PX}px)`);
    return () => void style.removeProperty(TOAST_RIGHT);
  }, [isOpen, widthPx]);
}
