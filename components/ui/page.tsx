import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Link } from './link.tsx';

/** Padding and width of an ordinary screen. */
export const Page = ({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) => (
  <div
    className={cx('mx-auto w-full px-4 py-6 sm:px-6 lg:px-10 lg:py-9', narrow ? 'max-w-3xl' : 'max-w-7xl')}
  >
    {children}
  </div>
);

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The list that it belongs to. */
  back?: { href: string; label: string };
  actions?: ReactNode;
}

/** The title of a page with its actions; the page's only h1. */
export const PageHeader = ({ title, description, back, actions }: PageHeaderProps) => (
  <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      {back && (
        <div className="mb-1 text-sm text-muted">
          <Link href={back.href} className="inline-flex items-center gap-1 hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" /> {back.label}
          </Link>
        </div>
      )}
      <h1 className="text-2xl font-semibold">{title}</h1>
      {description && <p className="mt-1 max-w-prose text-muted">{description}</p>}
    </div>
    {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
  </header>
);

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

/** The page of something that was removed, instead of what it showed. @param noun such as "Run" */
export const RemovedPage = ({
  noun,
  back,
  children,
}: {
  noun: string;
  back: { href: string; label: string };
  /** When or why it was removed. */
  children: ReactNode;
}) => (
  <Page>
    <PageHeader title={`${noun} removed`} back={back} />
    <p className="max-w-prose text-muted">{children}</p>
  </Page>
);
