'use client';
import { Slot } from 'radix-ui';
import { type ReactNode, useState } from 'react';

/** Whether a dialog is open, by its owner or automatically, and whether it ever was: until then it has no code. */
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
  /** One element that can be clicked. */
  children: ReactNode;
}

/** What opens a dialog; its code is fetched as the pointer or the focus comes near. */
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
