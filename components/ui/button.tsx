'use client';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { buttonClass, type ButtonLook } from './button-class.ts';
import { Spinner } from './loading.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Replaces the icon by a spinner and ignores clicks; the width stays. */
  loading?: boolean;
  icon?: ReactNode;
}

/** A button; for links with its look use `buttonClass` on a `Link`. */
export function Button({ variant, size, loading = false, icon, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-busy={loading || undefined}
      disabled={props.disabled === true || loading}
      className={cx(buttonClass({ variant, size }), className)}
    >
      {loading ? <Spinner label={null} /> : icon}
      {children}
    </button>
  );
}
