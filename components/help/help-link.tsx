import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { HELP_PAGES, type HelpPageName } from './help-pages.ts';

/** A link to a page of the help, in a new tab, so that unsaved input stays. */
export const HelpLink = ({ page, children }: { page: HelpPageName; children: ReactNode }) => (
  <a
    href={HELP_PAGES[page]}
    target="_blank"
    rel="noreferrer"
    className="inline-flex items-center gap-1.5 align-bottom text-sm font-medium text-accent underline underline-offset-2"
  >
    <CircleHelp aria-hidden className="size-4 shrink-0" />
    {children}
  </a>
);
