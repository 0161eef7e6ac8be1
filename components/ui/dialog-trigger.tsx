'use client';
import { Slot } from 'radix-ui';
import { type ReactNode, useState } from 'react';

/** Whether a dialog is open, controlled or not, and whether it ever was: its code is only loaded then. */
export function useOpen(owner: { open?: boolean; onOpenChange?: (open: boolean) => void }) {
  const [own, setOwn] = useState(false);
  const open = owner.open ?? own;
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  const setOpen = (next: boolean) => {
    setOwn(next);
    owner.onOpenChange?.(next);
  };
  return { open, setOpen, wasOpened };
}

export interface DialogTriggerProps {
  open: boolean;
  onOpen: () => void;
  preload: () => void;
  /** One clickable element. */
  children: ReactNode;
}

/** Opens a dialog; its code is loaded when the pointer or the focus approaches. */
export const DialogTrigger = ({ open, onOpen, preload, children }: DialogTriggerProps) => (
  <Slot.Root
    aria-haspopup="dialog"
    aria-expanded={open}
    onPointerEnter={preload}
    onFocus={preload}
    onClick={onOpen}
  >
    {children}
  </Slot.Root>
);
