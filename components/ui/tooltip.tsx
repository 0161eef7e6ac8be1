'use client';
import { Slot } from 'radix-ui';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { onDemand } from './on-demand.tsx';
import type { TooltipProps } from './on-demand/tooltip-bubble.tsx';

const DELAY_MS = 350;
const TooltipBubble = onDemand(
  async () => (await import('./on-demand/tooltip-bubble.tsx')).TooltipBubble,
  null,
);

/** A short hint on hover and focus; never the only place of required information. */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  const id = useId();
  const trigger = useRef<HTMLElement>(null);
  const [place, setPlace] = useState<DOMRect | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => setPlace(trigger.current?.getBoundingClientRect() ?? null);
  const hide = () => {
    clearTimeout(timer.current);
    setPlace(null);
  };
  return (
    <>
      <Slot.Root
        ref={trigger}
        aria-describedby={place ? id : undefined}
        onPointerEnter={({ pointerType }) => {
          if (pointerType === 'touch') return;
          TooltipBubble.preload();
          clearTimeout(timer.current);
          timer.current = setTimeout(show, DELAY_MS);
        }}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show()}
        onBlur={hide}
      >
        {children}
      </Slot.Root>
      {place && (
        <Suspense>
          <TooltipBubble id={id} text={text} side={side} place={place} onClose={hide} />
        </Suspense>
      )}
    </>
  );
}
