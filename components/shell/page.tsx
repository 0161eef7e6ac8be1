import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';

/** Padding and width of an ordinary screen. */
export const Page = ({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) => (
  <div
    className={cx('mx-auto w-full px-4 py-6 sm:px-6 lg:px-10 lg:py-9', narrow ? 'max-w-3xl' : 'max-w-7xl')}
  >
    {children}
  </div>
);
