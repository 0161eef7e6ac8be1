import { ChevronLeft } from 'lucide-react';
import { Link } from './link.tsx';
import type { ReactNode } from 'react';

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
