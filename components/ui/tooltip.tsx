'use client';
import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** Once around the whole app. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={350}>{children}</Radix.Provider>
);

export interface TooltipProps {
  text: ReactNode;
  /** One element that takes a ref. */
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** A short hint on hover and focus; never the only place of something that must be known. */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          className="z-50 max-w-64 animate-appear rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-overlay"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
