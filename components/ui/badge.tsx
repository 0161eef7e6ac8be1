import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { SOFT_TONE, type Tone } from './tones.ts';

/** A short state label. */
export const Badge = ({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) => (
  <span
    className={cx(
      'inline-flex items-center gap-1 rounded-sm px-1.5 py-px text-xs font-medium whitespace-nowrap [&_svg]:size-3',
      SOFT_TONE[tone],
    )}
  >
    {icon}
    {children}
  </span>
);
