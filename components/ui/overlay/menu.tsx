'use client';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '#components/ui/cx.ts';
import { useShortcut } from '#components/ui/kbd.tsx';
import type { OpenedBy } from '#components/ui/on-demand.tsx';

export interface DropdownMenuProps {
  /** One element that takes a ref. */
  trigger: ReactNode;
  /** `DropdownMenuItem`, `DropdownMenuLabel`, `DropdownMenuSeparator`. */
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** A menu that is initially open; opened by a key, its first item has the focus. */
export function Menu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
  openedBy,
}: DropdownMenuProps & { openedBy: OpenedBy }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (openedBy === 'keyboard')
      content.current?.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus();
  }, [openedBy]);
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-appear rounded-lg border border-line bg-raised p-1 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** A keyboard shortcut at the end. */
  hint?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: () => void;
  /** With `asChild` the child (a link) is the item. */
  asChild?: boolean;
  children: ReactNode;
}

const ITEM =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0';

export function MenuItem({
  icon,
  hint,
  danger = false,
  asChild = false,
  children,
  onSelect,
  disabled = false,
}: MenuItemProps) {
  const className = cx(ITEM, danger ? 'text-danger' : '[&_svg]:text-muted');
  const shownHint = useShortcut(hint ?? '');
  const select = onSelect ? { onSelect } : {};
  if (asChild) {
    return (
      <Radix.Item asChild disabled={disabled} className={className} {...select}>
        {children}
      </Radix.Item>
    );
  }
  return (
    <Radix.Item disabled={disabled} className={className} {...select}>
      {icon}
      <span className="flex-1">{children}</span>
      {hint && <kbd className="font-sans text-xs text-muted">{shownHint}</kbd>}
    </Radix.Item>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</Radix.Label>
);

export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />;
