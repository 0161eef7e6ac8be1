import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * The pages of the help that the app links to, defined only here. `docs/help-pages.test.ts` checks that each page and section
 * exists.
 */
export const HELP_PAGES = {
  start: '/help/',
  firstFlow: '/help/guides/first-flow',
  connectPlatform: '/help/guides/connect-the-platform',
  connectAccess: '/help/guides/connect-the-platform#5-choose-how-patchbay-gets-access',
  conversations: '/help/guides/conversations',
  customers: '/help/guides/customers',
  templates: '/help/guides/templates',
  webhooks: '/help/guides/receiving-webhooks',
  expectRequestsTwice: '/help/guides/receiving-webhooks#expect-requests-twice',
  search: '/help/webhooks#search',
  schedules: '/help/guides/schedules',
  secrets: '/help/guides/secrets',
  gitWorkflows: '/help/guides/workflows-in-git',
  alerts: '/help/guides/alerts',
  reports: '/help/guides/reports',
  lists: '/help/guides/lists',
  api: '/help/api',
  mail: '/help/operations#mail',
  identityProvider: '/help/operations#identity-provider',
  troubleshooting: '/help/running/troubleshooting',
  troubleshootingRuns: '/help/running/troubleshooting#runs',
  troubleshootingWebhooks: '/help/running/troubleshooting#webhooks',
  troubleshootingConnections: '/help/running/troubleshooting#connections',
} as const;

export type HelpPageName = keyof typeof HELP_PAGES;

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
