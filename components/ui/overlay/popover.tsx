'use client';
import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';

export interface PopoverProps {
  trigger: ReactNode;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** Announced by screen readers when it opens. */
  label: string;
  className?: string;
  /** The focus returns to the trigger after closing, unless this prevents it. */
  onCloseAutoFocus?: (event: Event) => void;
}

/** A small overlay of its trigger. */
export function Popover({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  label,
  className,
  onCloseAutoFocus,
  ...props
}: PopoverProps) {
  return (
    <Radix.Root {...props}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
          className={cx(
            'z-50 w-80 max-w-[calc(100vw-1rem)] animate-appear rounded-lg border border-line bg-raised p-3 shadow-overlay focus:outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
