'use client';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface ConfirmDialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  title: string;
  /** The effect, and whether it can be undone. */
  description: ReactNode;
  /** The verb: "Revoke key", never "OK". */
  confirmLabel: string;
  danger?: boolean;
  /** The dialog closes when this resolves; it stays open when it rejects. */
  onConfirm: () => Promise<unknown> | void;
}

type ConfirmWindowProps = Omit<ConfirmDialogProps, 'trigger' | 'open' | 'onOpenChange'> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The question itself. */
export function ConfirmWindow({
  title,
  description,
  confirmLabel,
  danger = false,
  onConfirm,
  open,
  onOpenChange,
}: ConfirmWindowProps) {
  const [busy, setBusy] = useState(false);
  const focus = useFocusReturn();
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onOpenChange(false);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-overlay" />
        <AlertDialog.Content
          {...focus}
          className="fixed inset-x-0 bottom-0 z-40 mx-auto w-full animate-rise rounded-t-xl border border-line bg-raised p-5 shadow-overlay focus:outline-none sm:top-[18vh] sm:bottom-auto sm:max-w-md sm:rounded-xl"
        >
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-muted">{description}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel className={buttonClass({ variant: 'secondary' })}>Cancel</AlertDialog.Cancel>
            <Button variant={danger ? 'danger' : 'primary'} loading={busy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
