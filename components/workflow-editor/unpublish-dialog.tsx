'use client';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { useEditorContext } from '#components/editor/editor-context.tsx';

/** Confirms before the production URL stops accepting events. */
export function UnpublishDialog() {
  const { editor, actions } = useEditorContext();
  return (
    <ConfirmDialog
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      title="Unpublish this workflow?"
      description="Callers get 409 until you publish again. Events are saved and can be replayed. Runs in progress continue."
      confirmLabel="Unpublish"
      danger
      onConfirm={async () => {
        const result = await actions.unpublish({ id: editor.workflowId });
        if (result.ok) editor.store.set({ live: result.data, isJustPublished: false });
        else toast.error(result.error.message);
      }}
    />
  );
}
