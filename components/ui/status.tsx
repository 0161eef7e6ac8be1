import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { DOT_TONE, type Tone } from './tones.ts';

export interface StatusProps {
  tone?: Tone;
  /** In progress right now. */
  live?: boolean;
  children: ReactNode;
}

/** A dot and a word: quieter than a badge, for every row of a table. */
export const Status = ({ tone = 'neutral', live = false, children }: StatusProps) => (
  <span className="inline-flex items-center gap-2 whitespace-nowrap">
    <span
      aria-hidden
      className={cx('size-2 shrink-0 rounded-full', DOT_TONE[tone], live && 'animate-breathe')}
    />
    {children}
  </span>
);
