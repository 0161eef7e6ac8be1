'use client';
import { type FormEvent, type ReactNode, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface NewWorkspaceDialogProps {
  trigger: ReactNode;
  create: (input: { name: string }) => Promise<ActionResult<{ id: string; name: string }>>;
  /** Goes there once it was made. */
  open: (id: string) => Promise<void>;
}

/** Asks for a name, makes the workspace and opens it. */
export function NewWorkspaceDialog({ trigger, create, open }: NewWorkspaceDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const made = await create({ name });
      if (made.ok) await open(made.data.id);
      else setProblem(made.error.message);
    });
  };
  return (
    <Dialog
      trigger={trigger}
      title="Create workspace"
      description="It starts empty, and you become its owner."
      size="sm"
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form="new-workspace" variant="primary" loading={busy}>
            Create
          </Button>
        </>
      }
    >
      <form id="new-workspace" onSubmit={submit}>
        <Field label="Name" error={problem} help="For example, the name of a client or team.">
          <Input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
