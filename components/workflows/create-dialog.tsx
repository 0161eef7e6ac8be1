'use client';
import { useRouter } from 'next/navigation';
import { NameDialog } from '#components/ui/form/form-dialog.tsx';
import type { WorkflowActions } from './workflow-actions-types.ts';

export interface CreateDialogProps {
  onOpenChange: (open: boolean) => void;
  createBlank: WorkflowActions['createBlank'];
}

/** Asks for a name and opens the new workflow. */
export function CreateDialog({ onOpenChange, createBlank }: CreateDialogProps) {
  const router = useRouter();
  return (
    <NameDialog
      open
      onOpenChange={onOpenChange}
      title="Create a workflow"
      description="Starts with a webhook trigger. Add the rest on the canvas."
      help="You can change it later."
      maxLength={200}
      placeholder="e.g. Order confirmation"
      create={(name) => createBlank({ name: name.trim() || 'New workflow' })}
      onCreated={({ id }) => router.push(`/workflows/${id}`)}
    />
  );
}
