'use client';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface DialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** One element that opens it; without it `open` is controlled. */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** `side`: a panel at the right edge of the screen, with its full height. */
  placement?: 'center' | 'side';
  children?: ReactNode;
}

const WIDTH = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' };

/** The dialog itself. */
export function DialogWindow({
  title,
  description,
  footer,
  children,
  size = 'md',
  placement = 'center',
  ...props
}: Omit<DialogProps, 'trigger'>) {
  const focus = useFocusReturn();
  return (
    <Radix.Root {...props}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-overlay" />
        <Radix.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx(
            'fixed z-40 flex w-full flex-col bg-raised shadow-overlay focus:outline-none',
            placement === 'side'
              ? 'inset-y-0 right-0 animate-appear border-l border-line'
              : 'inset-x-0 bottom-0 mx-auto max-h-[92dvh] animate-rise rounded-t-xl border border-line sm:top-[12vh] sm:bottom-auto sm:max-h-[80dvh] sm:rounded-xl',
            WIDTH[size],
          )}
        >
          <header className="px-5 pt-4 pr-14 pb-2">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
          {/* Last, so that the first thing to be filled in gets the focus. */}
          <Radix.Close asChild>
            <IconButton label="Close" size="sm" className="absolute top-3.5 right-3.5">
              <X aria-hidden />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const DialogWindowClose = ({ children }: { children: ReactNode }) => (
  <Radix.Close asChild>{children}</Radix.Close>
);
