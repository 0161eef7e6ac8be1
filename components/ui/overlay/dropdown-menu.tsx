'use client';
import { Slot } from 'radix-ui';
import { Suspense } from 'react';
import { onDemand, useFirstOpening } from '#components/ui/on-demand.tsx';
import type { DropdownMenuProps } from './menu.tsx';

const loadMenu = () => import('./menu.tsx');
const Menu = onDemand(async () => (await loadMenu()).Menu);

/** A menu of actions. */
export function DropdownMenu(props: DropdownMenuProps) {
  const { openedBy, opener, close } = useFirstOpening('menu', Menu.preload);
  const closed = <Slot.Root {...opener}>{props.trigger}</Slot.Root>;
  if (!openedBy) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu {...props} openedBy={openedBy} instead={closed} onDismiss={close} />
    </Suspense>
  );
}

export const DropdownMenuItem = onDemand(async () => (await loadMenu()).MenuItem);
export const DropdownMenuLabel = onDemand(async () => (await loadMenu()).MenuLabel);
export const DropdownMenuSeparator = onDemand(async () => (await loadMenu()).MenuSeparator);
