import { cx } from './cx.ts';

/** The place of something that is being loaded; give it the size of what will be there. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cx('animate-breathe rounded-md bg-hover', className)} />
);
