'use client';
import { Suspense } from 'react';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { Autosave } from './autosave.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';

const DIALOGS = {
  run_draft: onDemand(
    async () => (await import('#components/draft-run/run-draft-dialog.tsx')).RunDraftDialog,
  ),
  publish: onDemand(async () => (await import('./publish-dialog.tsx')).PublishDialog),
  unpublish: onDemand(async () => (await import('./publish-dialog.tsx')).UnpublishDialog),
  pause: onDemand(async () => (await import('./live-status.tsx')).PauseLive),
  run_limit: onDemand(async () => (await import('./run-limit-dialog.tsx')).RunLimitDialog),
  history: onDemand(async () => (await import('./history-dialog.tsx')).HistoryDialog),
  sign_in: onDemand(async () => (await import('./sign-in-dialog.tsx')).SignInDialog),
  find: onDemand(async () => (await import('./pickers.tsx')).FindPicker),
  shortcuts: onDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog),
};
const TaskPicker = onDemand(async () => (await import('./pickers.tsx')).TaskPicker);
const ConnectPicker = onDemand(async () => (await import('./pickers.tsx')).ConnectPicker);
const RepeatDialog = onDemand(async () => (await import('./repeat-dialog.tsx')).RepeatDialog);
const ConflictDialog = onDemand(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);

/** The open dialog of the editor. A conflict takes precedence. */
export function OpenDialog({ autosave }: { autosave: Autosave | null }) {
  const dialog = useEditorState((state) => state.dialog);
  const isConflict = useEditorState((state) => state.save.kind === 'conflict');
  const isPicking = useEditorState((state) => state.pickingFor !== undefined);
  const isConnecting = useEditorState((state) => state.connectingFrom !== undefined);
  const isRepeating = useEditorState((state) => state.repeatOffer !== undefined);
  const Dialog = dialog && DIALOGS[dialog];
  const { store } = useEditor();
  return (
    <Suspense>
      {isPicking && <TaskPicker onDismiss={() => store.set({ pickingFor: undefined })} />}
      {isConnecting && <ConnectPicker onDismiss={() => store.set({ connectingFrom: undefined })} />}
      {isRepeating && <RepeatDialog onDismiss={() => store.set({ repeatOffer: undefined })} />}
      {Dialog && <Dialog onDismiss={() => store.set({ dialog: null })} />}
      {isConflict && autosave && <ConflictDialog autosave={autosave} />}
    </Suspense>
  );
}
