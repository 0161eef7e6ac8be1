'use client';
import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';
import { cx } from './cx.ts';
import type { TooltipProps } from './on-demand/tooltip-bubble.tsx';
import { Tooltip } from './tooltip.tsx';

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
