import { cx } from './cx.ts';

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
