import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What will appear here, and how to get it. */
  children: ReactNode;
  actions?: ReactNode;
}

/** Placeholder of an empty list. */
export const EmptyState = ({ icon, title, children, actions }: EmptyStateProps) => (
  <div className="flex flex-col items-center rounded-xl border border-dashed border-line-strong/60 px-6 py-12 text-center">
    {icon && (
      <div
        aria-hidden
        className="mb-4 flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent [&_svg]:size-6"
      >
        {icon}
      </div>
    )}
    <h2 className="text-lg font-semibold">{title}</h2>
    <div className="mt-1 max-w-prose text-muted">{children}</div>
    {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
  </div>
);
