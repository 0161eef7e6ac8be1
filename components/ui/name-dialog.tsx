'use client';
import { type ReactNode, useState, useTransition } from 'react';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { DialogProps } from './on-demand/dialog-window.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Input } from './input.tsx';

export interface NameDialogProps<Made> extends Pick<DialogProps, 'trigger' | 'open' | 'onOpenChange'> {
  title: string;
  description: string;
  help: ReactNode;
  maxLength: number;
  placeholder?: string;
  create: (name: string) => Promise<ActionResult<Made>>;
  /** Opens the created item. */
  onCreated: (made: Made) => Promise<void> | void;
}

/** Asks for a name and creates the item. */
export function NameDialog<Made>(props: NameDialogProps<Made>) {
  const { help, maxLength, placeholder, create, onCreated, ...dialog } = props;
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = () =>
    startTransition(async () => {
      const made = await create(name);
      if (made.ok) await onCreated(made.data);
      else setProblem(made.error.message);
    });
  return (
    <FormDialog {...dialog} submitLabel="Create" busy={busy} onSubmit={submit}>
      <Field label="Name" error={problem} help={help}>
        <Input
          value={name}
          maxLength={maxLength}
          placeholder={placeholder}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
