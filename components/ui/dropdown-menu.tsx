'use client';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface DropdownMenuProps {
  /** One element that takes a ref. */
  trigger: ReactNode;
  /** `DropdownMenuItem`, `DropdownMenuLabel`, `DropdownMenuSeparator`. */
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
}

export function DropdownMenu({ trigger, children, align = 'end', side = 'bottom' }: DropdownMenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
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

export interface DropdownMenuItemProps {
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

export function DropdownMenuItem({
  icon,
  hint,
  danger = false,
  asChild = false,
  children,
  onSelect,
  disabled = false,
}: DropdownMenuItemProps) {
  const className = cx(ITEM, danger ? 'text-danger' : '[&_svg]:text-muted');
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
      {hint && <kbd className="font-sans text-xs text-muted">{hint}</kbd>}
    </Radix.Item>
  );
}

export const DropdownMenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</Radix.Label>
);

export const DropdownMenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />;
