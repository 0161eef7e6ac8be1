import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** Meanings of colors in badges, statuses and callouts. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info';

export const SOFT_TONE: Record<Tone, string> = {
  neutral: 'bg-hover text-ink',
  accent: 'bg-accent-soft text-accent',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
};

export const DOT_TONE: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  accent: 'bg-accent',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
  info: 'bg-info',
};

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

const TINTS = [
  'bg-accent-soft text-accent',
  'bg-info-soft text-info',
  'bg-success-soft text-success',
  'bg-warning-soft text-warning',
];

/** The first letters of an email address or a role, on a tint derived from the text. */
export function Avatar({ text, className }: { text: string; className?: string }) {
  const sum = [...text].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-full text-xs font-semibold uppercase select-none',
        TINTS[sum % TINTS.length],
        className,
      )}
    >
      {initials(text)}
    </span>
  );
}

function initials(text: string): string {
  const words = (text.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1 ? `${words[0]?.[0] ?? ''}${words[1]?.[0] ?? ''}` : (words[0] ?? '?').slice(0, 2);
  return letters;
}
