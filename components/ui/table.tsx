import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

/** A table in a frame that scrolls sideways if necessary. @param label for screen readers */
export const Table = ({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) => (
  <div
    role="region"
    aria-label={label}
    tabIndex={0}
    className={cx('overflow-x-auto rounded-lg border border-line bg-surface shadow-raised', className)}
  >
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{label}</caption>
      {children}
    </table>
  </div>
);

export const Th = ({ className, ...props }: ComponentProps<'th'>) => (
  <th
    scope="col"
    {...props}
    className={cx(
      'border-b border-line px-4 py-2 text-xs font-medium whitespace-nowrap text-muted',
      className,
    )}
  />
);

export const Tr = ({ className, ...props }: ComponentProps<'tr'>) => (
  <tr {...props} className={cx('border-b border-line last:border-b-0 hover:bg-hover/50', className)} />
);

export const Td = ({ className, ...props }: ComponentProps<'td'>) => (
  <td {...props} className={cx('px-4 py-2.5 align-middle', className)} />
);

/** A list of `Fact`s below a title. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="mb-5 flex flex-wrap gap-x-8 gap-y-3">{children}</dl>
);

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);
