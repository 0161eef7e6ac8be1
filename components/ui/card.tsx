import { Children, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface CardProps {
  /** So that links lead to it. */
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  /** At the end of the title's line. */
  actions?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/** A titled group of content. */
export function Card({ id, title, description, actions, footer, className, children }: CardProps) {
  const hasBody = Children.toArray(children).length > 0;
  return (
    <section
      id={id}
      className={cx('min-w-0 scroll-mt-4 rounded-lg border border-line bg-surface shadow-raised', className)}
    >
      {(title ?? actions) && (
        <header
          className={cx('flex flex-wrap items-start justify-between gap-3 px-5 pt-4', !hasBody && 'pb-4')}
        >
          <div className="min-w-0 flex-1 basis-64">
            {title && <h2 className="text-lg font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 max-w-prose text-muted">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      {hasBody && <div className="px-5 py-4">{children}</div>}
      {footer && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
      )}
    </section>
  );
}
