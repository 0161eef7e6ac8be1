'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { WorkflowActions } from './workflow-actions-types.ts';

export interface CreateDialogProps {
  onOpenChange: (open: boolean) => void;
  createBlank: WorkflowActions['createBlank'];
}

/** Asks for a name and opens the new workflow. */
export function CreateDialog({ onOpenChange, createBlank }: CreateDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const router = useRouter();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const made = await createBlank({ name: name.trim() || 'New workflow' });
      if (made.ok) router.push(`/workflows/${made.data.id}`);
      else setProblem(made.error.message);
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Create a workflow"
      description="Starts with a webhook trigger. Add the rest on the canvas."
      size="sm"
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form="create-workflow" variant="primary" loading={busy}>
            Create
          </Button>
        </>
      }
    >
      <form id="create-workflow" onSubmit={submit}>
        <Field label="Name" error={problem} help="You can change it later.">
          <Input
            value={name}
            maxLength={200}
            placeholder="New workflow"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
