'use client';
import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { diffGraphs } from '#lib/workflows/diff-graphs.ts';
import { toGraph } from '#lib/editor/canvas/document.ts';
import { findDraftSizeProblem } from '#lib/workflows/draft-size.ts';
import type { Autosave } from './autosave.ts';
import { DiffList } from './diff-list.tsx';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import type { LoadedDraft } from '#lib/screens/editor-types.ts';

/** Shown when another user has saved first: the user decides which version to keep. */
export function ConflictDialog({ autosave }: { autosave: Autosave }) {
  const { editor, actions } = useEditorContext();
  const router = useRouter();
  const [theirs, setTheirs] = useState<LoadedDraft>();
  const [busy, setBusy] = useState(false);
  const load = async (): Promise<LoadedDraft | undefined> => {
    const result = await actions.loadDraft({ id: editor.workflowId });
    if (result.ok) return result.data;
    toast.error(result.error.message);
    return undefined;
  };
  const attempt = (work: () => Promise<void>) => async () => {
    setBusy(true);
    try {
      await work();
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  const showTheirs = attempt(async () => {
    const draft = await load();
    if (draft) autosave.adopt(draft);
  });
  const keepCopy = attempt(async () => {
    const { document } = editor;
    const graph = { ...toGraph(document), name: `${document.name.slice(0, 180)} (my copy)` };
    const tooLarge = findDraftSizeProblem(graph);
    if (tooLarge !== undefined) return void toast.error(tooLarge);
    const result = await actions.copyDraft({ graph });
    if (!result.ok) return void toast.error(result.error.message);
    const draft = await load();
    if (draft) autosave.adopt(draft);
    router.push(`/workflows/${result.data.id}`);
  });
  const overwrite = attempt(async () => {
    const draft = await load();
    if (draft) await autosave.overwrite(draft.revision);
  });
  const compare = attempt(async () => setTheirs(await load()));
  return (
    <Dialog
      open
      title="Someone else changed this draft"
      description="It was saved from another tab or by another person while you were editing. Your changes are not saved yet; nothing was overwritten."
      footer={
        <>
          <Button loading={busy} onClick={() => void overwrite()} variant="danger">
            Overwrite with my version
          </Button>
          <Button loading={busy} onClick={() => void keepCopy()}>
            Save mine as a copy
          </Button>
          <Button loading={busy} variant="primary" onClick={() => void showTheirs()}>
            Discard mine and show theirs
          </Button>
        </>
      }
    >
      {theirs ? (
        <>
          <p className="mb-2 font-medium">Only in your version:</p>
          <DiffList diff={diffGraphs(editor.document, theirs.graph)} none="Both versions are the same." />
        </>
      ) : (
        <Button size="sm" loading={busy} onClick={() => void compare()}>
          Compare versions
        </Button>
      )}
    </Dialog>
  );
}
