'use client';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { onDemand } from '#components/ui/on-demand.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { CanvasProvider } from '#components/canvas/canvas-provider.ts';
import { Autosave } from './autosave.ts';
import { OpenDraftRun } from '#components/draft-run/open-draft-run.tsx';
import { CanvasArea } from '#components/canvas/canvas-area.tsx';
import { Editor } from '#components/editor/editor.ts';
import type { EditorActions, EditorStart } from '#components/editor/editor-actions.ts';
import { DraftKeeper } from './draft-keeper.ts';
import { DraftOffer } from './draft-offer.tsx';
import { useAllCode } from './use-all-code.ts';
import { keepTries } from '#components/editor/kept-tries.ts';
import { EditorContext, useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OpenPanel } from './open-panel.tsx';
import { OpenDialog } from './open-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { useChecks } from './use-checks.ts';
import { usePlatformFacts } from './use-platform-facts.ts';
import { useRemoteChanges } from './use-remote-changes.ts';

const AfterPublish = onDemand(async () => (await import('./after-publish.tsx')).AfterPublish);

/** The editor of one workflow; it fills the shell's content area. */
export function WorkflowEditor({ start, actions }: { start: EditorStart; actions: EditorActions }) {
  const [editor] = useState(() => new Editor(start));
  const [autosave, setAutosave] = useState<Autosave | null>(null);
  const [keeper, setKeeper] = useState<DraftKeeper | null>(null);
  const hasAllCode = useAllCode();
  useEffect(() => {
    editor.onRefusal = (message) => toast(message);
    const keeper = new DraftKeeper(editor);
    const saver = new Autosave(editor, actions, keeper);
    if (editor.canEdit) void keeper.offer();
    const stopKeeping = keepTries(editor);
    setKeeper(keeper);
    saver.onAdopted = () => toast('This draft was changed elsewhere. You are looking at the latest version.');
    setAutosave(saver);
    return () => {
      void saver.flush();
      saver.close();
      stopKeeping();
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
        <div
          data-parts={hasAllCode ? 'fetched' : 'fetching'}
          data-fills-screen
          // Hidden labels are positioned relative to it, so that none of them extends the page.
          className="relative flex min-h-0 flex-1 flex-col overflow-clip"
        >
          <Toolbar />
          {keeper && <DraftOffer keeper={keeper} />}
          <div className="relative flex min-h-0 flex-1">
            <CanvasArea />
            <FirstSteps />
            <PublishedCard />
            <OpenPanel />
          </div>
          <OpenDraftRun />
        </div>
        <OpenDialog autosave={autosave} />
      </CanvasProvider>
    </EditorContext>
  );
}

/** Until it is closed, or a task is opened. */
function PublishedCard() {
  const { store } = useEditor();
  const isShown = useEditorState((state) => state.isJustPublished && state.openTaskId === undefined);
  return (
    <Suspense>{isShown && <AfterPublish onDismiss={() => store.set({ isJustPublished: false })} />}</Suspense>
  );
}
