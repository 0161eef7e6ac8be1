'use client';
import { Slot } from 'radix-ui';
import { type ComponentProps, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';
import { cx } from './cx.ts';
import { onDemand } from './on-demand.tsx';
import type { TooltipProps } from './overlay/tooltip-bubble.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, ButtonLook {
  /** Announced by screen readers and shown as a tooltip. */
  label: string;
  children: ReactNode;
  tooltipSide?: TooltipProps['side'];
}

const SQUARE = { sm: 'w-8 px-0', md: 'w-9 px-0', lg: 'w-11 px-0' };

/** A button with only an icon. */
export function IconButton({
  label,
  children,
  variant = 'ghost',
  size = 'md',
  tooltipSide,
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip text={label} {...(tooltipSide ? { side: tooltipSide } : {})}>
      <button
        type="button"
        {...props}
        aria-label={label}
        className={cx(buttonClass({ variant, size }), SQUARE[size], className)}
      >
        {children}
      </button>
    </Tooltip>
  );
}

const DELAY_MS = 350;
const TooltipBubble = onDemand(
  async () => (await import('./overlay/tooltip-bubble.tsx')).TooltipBubble,
  null,
);

/** A short hint on hover and focus; never the only place of required information. */
function Tooltip({ text, children, side = 'top' }: TooltipProps) {
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
