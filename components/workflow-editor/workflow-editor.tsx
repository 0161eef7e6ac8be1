'use client';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { onDemand } from '#components/ui/on-demand.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { CanvasProvider } from '#components/canvas/canvas-provider.ts';
import { Autosave } from './autosave.ts';
import { CanvasArea } from '#components/canvas/canvas-area.tsx';
import { Editor } from '#components/editor/editor.ts';
import type { EditorActions, EditorStart } from '#components/editor/editor-actions.ts';
import { EditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OpenDialog } from './open-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { useChecks } from './use-checks.ts';
import { usePlatformFacts } from './use-platform-facts.ts';
import { useRemoteChanges } from './use-remote-changes.ts';

const TaskPanel = onDemand(async () => (await import('#components/task-panel/task-panel.tsx')).TaskPanel);

/** The studio's editor of one workflow; it fills what the shell leaves of the screen. */
export function WorkflowEditor({ start, actions }: { start: EditorStart; actions: EditorActions }) {
  const [editor] = useState(() => new Editor(start));
  const [autosave, setAutosave] = useState<Autosave | null>(null);
  useEffect(() => {
    editor.onRefusal = (message) => toast(message);
    const saver = new Autosave(editor, actions);
    saver.onAdopted = () => toast('This draft was changed elsewhere. You are looking at the latest version.');
    setAutosave(saver);
    return () => {
      void saver.flush();
      saver.close();
    };
  }, [editor, actions]);
  const value = useMemo(
    () => ({ editor, actions, flush: () => autosave?.flush() ?? Promise.resolve(false) }),
    [editor, actions, autosave],
  );
  useChecks(editor);
  usePlatformFacts(editor, actions);
  useRemoteChanges(editor, actions, autosave);
  return (
    <EditorContext value={value}>
      <CanvasProvider>
        <div className="flex h-[calc(100dvh-var(--bar-height)-3.25rem)] flex-col md:h-dvh">
          <Toolbar />
          <div className="relative flex min-h-0 flex-1">
            <CanvasArea />
            <FirstSteps />
            <OpenPanel />
          </div>
        </div>
        <OpenDialog autosave={autosave} />
      </CanvasProvider>
    </EditorContext>
  );
}

function OpenPanel() {
  const taskId = useEditorState((state) => state.openTaskId);
  if (taskId === undefined) return null;
  return (
    <Suspense
      fallback={<div className="hidden w-[26rem] shrink-0 border-l border-line bg-surface md:block" />}
    >
      <TaskPanel key={taskId} taskId={taskId} />
    </Suspense>
  );
}
