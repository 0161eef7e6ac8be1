'use client';
import { Slot } from 'radix-ui';
import { type ReactNode, Suspense } from 'react';
import { onDemand, useFirstOpening } from './on-demand.tsx';

export interface DropdownMenuProps {
  /** One element that takes a ref. */
  trigger: ReactNode;
  /** `DropdownMenuItem`, `DropdownMenuLabel`, `DropdownMenuSeparator`. */
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
}

const loadMenu = () => import('./on-demand/menu.tsx');
const Menu = onDemand(async () => (await loadMenu()).Menu);

/** A list of actions behind a button. */
export function DropdownMenu(props: DropdownMenuProps) {
  const { openedBy, opener } = useFirstOpening('menu', Menu.preload);
  const closed = <Slot.Root {...opener}>{props.trigger}</Slot.Root>;
  if (!openedBy) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu {...props} openedBy={openedBy} />
    </Suspense>
  );
}

export const DropdownMenuItem = onDemand(async () => (await loadMenu()).MenuItem);
export const DropdownMenuLabel = onDemand(async () => (await loadMenu()).MenuLabel);
export const DropdownMenuSeparator = onDemand(async () => (await loadMenu()).MenuSeparator);
