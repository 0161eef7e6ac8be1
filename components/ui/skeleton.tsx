import { cx } from './cx.ts';

/** Placeholder while loading, with the size of the content. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cx('animate-breathe rounded-md bg-hover', className)} />
);
