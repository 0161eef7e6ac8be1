import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

/** Placeholder while loading, with the size of the content. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cx('animate-breathe rounded-md bg-hover', className)} />
);

/**
 * Shows that something is in progress.
 * @param label for screen readers; null where the text beside it says so
 */
export function Spinner({ label = 'Loading', className }: { label?: string | null; className?: string }) {
  return (
    <span role={label === null ? undefined : 'status'} className="inline-flex">
      <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />
      {label !== null && <span className="sr-only">{label}</span>}
    </span>
  );
}
