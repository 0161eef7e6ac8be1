'use client';
import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

export interface TooltipProps {
  text: ReactNode;
  /** One element that takes a ref. */
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

export interface TooltipBubbleProps extends Omit<TooltipProps, 'children'> {
  id: string;
  /** Position of its trigger on the screen. */
  place: DOMRect;
  onClose: () => void;
}

/** The tooltip itself. Scrolling and Escape close it. */
export const TooltipBubble = ({ id, text, side, place, onClose }: TooltipBubbleProps) => (
  <Radix.Provider>
    <Radix.Root open onOpenChange={onClose}>
      {createPortal(
        <Radix.Trigger asChild>
          <span
            aria-hidden
            className="pointer-events-none fixed"
            style={{ top: place.top, left: place.left, width: place.width, height: place.height }}
          />
        </Radix.Trigger>,
        document.body,
      )}
      <Radix.Portal>
        <Radix.Content
          id={id}
          {...(side ? { side } : {})}
          sideOffset={6}
          className="pointer-events-none z-50 max-w-64 animate-appear rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-overlay"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  </Radix.Provider>
);
