import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { SOFT_TONE, type Tone } from './badge.tsx';

const ICONS = {
  neutral: Info,
  accent: Info,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
};

export interface CalloutProps {
  tone?: Tone;
  title?: ReactNode;
  actions?: ReactNode;
  /** Announced by screen readers when it appears. */
  live?: boolean;
  children?: ReactNode;
}

/** An important message: an error with its fix, a warning. */
export function Callout({ tone = 'info', title, actions, live = false, children }: CalloutProps) {
  const Icon = ICONS[tone];
  return (
    <div role={live ? 'alert' : undefined} className={cx('flex gap-3 rounded-lg px-4 py-3', SOFT_TONE[tone])}>
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
      </div>
      {actions}
    </div>
  );
}
