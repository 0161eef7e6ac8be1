'use client';
import { Suspense } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';

const DraftRunDock = onDemand(async () => (await import('./draft-run-dock.tsx')).DraftRunDock);

/** The shown run of the draft, if any. */
export function OpenDraftRun() {
  const { store } = useEditor();
  const runId = useEditorState((state) => state.draftRun?.runId);
  if (runId === undefined) return null;
  return (
    <Suspense>
      <DraftRunDock key={runId} runId={runId} onDismiss={() => store.set({ draftRun: undefined })} />
    </Suspense>
  );
}
