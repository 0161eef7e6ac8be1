import {
  Cable,
  ChartColumn,
  History,
  Inbox,
  type LucideIcon,
  MessageSquareText,
  Settings,
  Workflow,
  UsersRound,
} from 'lucide-react';

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Shows the number of failed workflows. */
  countsFailures?: true;
  /** Further search terms. */
  keywords: string[];
}

/** The main sections, in the order of the navigation. */
export const DESTINATIONS: readonly Destination[] = [
  {
    href: '/workflows',
    label: 'Workflows',
    icon: Workflow,
    countsFailures: true,
    keywords: ['flows', 'automation', 'canvas'],
  },
  { href: '/runs', label: 'Runs', icon: History, keywords: ['executions', 'history', 'log'] },
  { href: '/events', label: 'Events', icon: Inbox, keywords: ['requests', 'webhooks', 'replay'] },
  {
    href: '/customers',
    label: 'Customers',
    icon: UsersRound,
    keywords: ['contacts', 'people', 'phone numbers', 'conversations', 'messages'],
  },
  {
    href: '/connections',
    label: 'Connections',
    icon: Cable,
    keywords: ['accounts', 'oauth', 'tokens', 'phone numbers'],
  },
  { href: '/message-templates', label: 'Message templates', icon: MessageSquareText, keywords: ['approved'] },
  {
    href: '/reports',
    label: 'Reports',
    icon: ChartColumn,
    keywords: ['delivery', 'statistics', 'read', 'failed', 'cost'],
  },
  {
    href: '/settings',
    label: 'Settings',
    icon: Settings,
    keywords: ['members', 'api keys', 'password', 'audit log', 'alerts', 'notifications'],
  },
];

/** Whether a path is in a section. */
export const isInSection = (pathname: string, href: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`);

/** Among other pages only the trash has a similar path. */
const EDITOR = /^\/workflows\/(?!trash$)[^/]+$/;

/** Whether a path is that of a workflow's editor. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);
