'use client';
import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import { Dialog, DialogClose } from './dialog.tsx';
import type { DialogProps } from './on-demand/dialog-window.tsx';

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
