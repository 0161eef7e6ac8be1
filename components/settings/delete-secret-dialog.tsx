'use client';
import { Trash2 } from 'lucide-react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface DeleteSecretDialogProps {
  name: string;
  remove: (input: { name: string }) => Promise<ActionResult<void>>;
}

/** Deletes a secret; one that workflows use is refused, and the message names them. */
export function DeleteSecretDialog({ name, remove }: DeleteSecretDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete secret ${name}?`}
      description="Its value cannot be restored. A secret that a workflow uses cannot be deleted."
      confirmLabel="Delete secret"
      danger
      onConfirm={async () => {
        const removed = await remove({ name });
        if (!removed.ok) showActionError({ ...removed.error, problems: [] });
      }}
      trigger={
        <IconButton label={`Delete secret ${name}`} size="sm">
          <Trash2 aria-hidden />
        </IconButton>
      }
    />
  );
}
