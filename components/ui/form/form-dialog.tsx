'use client';
import { type FormEvent, type ReactNode, useId, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import type { DialogProps } from '#components/ui/overlay/dialog-window.tsx';
import { Dialog, DialogClose } from '#components/ui/overlay/dialog.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

export interface FormDialogProps extends Omit<DialogProps, 'footer' | 'children' | 'placement'> {
  submitLabel: string;
  danger?: boolean;
  busy: boolean;
  disabled?: boolean;
  /** Validation is left to `onSubmit`. */
  noValidate?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
  /** The problem of the whole form. */
  problem?: ReactNode;
  /** Replaces the form after success. */
  result?: ReactNode;
  children: ReactNode;
}

/** A dialog with a form: its fields, problems, buttons, and result. */
export function FormDialog(props: FormDialogProps) {
  const {
    submitLabel,
    danger = false,
    busy,
    disabled,
    noValidate,
    onSubmit,
    problem,
    result,
    children,
  } = props;
  const { open, onOpenChange, trigger, title, description, size = 'sm' } = props;
  const form = useId();
  const isDone = Boolean(result);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <Dialog
      {...{ trigger, title, size }}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
      {...(description === undefined || isDone ? {} : { description })}
      footer={
        isDone ? (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        ) : (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button
              type="submit"
              form={form}
              variant={danger ? 'danger' : 'primary'}
              loading={busy}
              disabled={disabled}
            >
              {submitLabel}
            </Button>
          </>
        )
      }
    >
      {isDone ? (
        result
      ) : (
        <form
          id={form}
          method="post"
          noValidate={noValidate}
          onSubmit={submit}
          className="flex flex-col gap-4"
        >
          {problem && (
            <Callout tone="danger" live>
              {problem}
            </Callout>
          )}
          {children}
        </form>
      )}
    </Dialog>
  );
}

export interface NameDialogProps<Made> extends Pick<DialogProps, 'trigger' | 'open' | 'onOpenChange'> {
  title: string;
  description: string;
  help: ReactNode;
  maxLength: number;
  placeholder?: string;
  /** Further fields, below the name. */
  children?: ReactNode;
  create: (name: string) => Promise<ActionResult<Made>>;
  /** Opens the created item. */
  onCreated: (made: Made) => Promise<void> | void;
}

/** Asks for a name and creates the item. */
export function NameDialog<Made>(props: NameDialogProps<Made>) {
  const { help, maxLength, placeholder, children, create, onCreated, ...dialog } = props;
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
      {children}
    </FormDialog>
  );
}
