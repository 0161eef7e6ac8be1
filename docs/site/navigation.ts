// The help's navigation. Pages that do not exist are left out, and pages in no list are under "More".
import type { HelpPage } from './pages.ts';

export interface NavigationItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: NavigationItem[];
}

/** An address, with an anchor where a section has its own entry. */
type Entry = readonly [text: string, address: string];

interface Section {
  text: string;
  collapsed: boolean;
  entries: readonly Entry[];
}

const SECTIONS: readonly Section[] = [
  {
    text: 'Build workflows',
    collapsed: false,
    entries: [
      ['First flow in five minutes', 'guides/first-flow'],
      ['Conversations: ask and wait', 'guides/conversations'],
      ['Schedules', 'guides/schedules'],
      ['Every morning, business hours', 'guides/time'],
      ['One workflow in several others', 'guides/calls'],
      ['Hand over to a colleague', 'guides/colleagues'],
      ['People answer in an inbox', 'guides/inbox'],
      ['Message templates', 'guides/templates'],
      ['Task types', 'task-types'],
      ['Variables by example', 'reference/expressions'],
      ['Alerts', 'guides/alerts'],
      ['Customers and their messages', 'guides/customers'],
      ['Send to a list', 'guides/lists'],
      ['Delivery report', 'guides/reports'],
      ['Export events, runs and messages', 'guides/exports'],
      ['Problems and what to do', 'running/troubleshooting'],
      ['Your account and signing in', 'guides/signing-in'],
      ['Coming from Zapier', 'moving/from-zapier'],
      ['Coming from n8n', 'moving/from-n8n'],
      ['Glossary', 'glossary'],
    ],
  },
  {
    text: 'For engineers',
    collapsed: true,
    entries: [
      ['Connect the real platform', 'guides/connect-the-platform'],
      ['Receive webhooks safely', 'guides/receiving-webhooks'],
      ['Secrets', 'guides/secrets'],
      ['Workflows in git', 'guides/workflows-in-git'],
      ['Variables', 'variables'],
      ['Webhooks', 'webhooks'],
      ['REST API and client', 'api'],
      ['Assistants (MCP)', 'mcp'],
      ['Command line', 'reference/cli'],
    ],
  },
  {
    text: 'Run an installation',
    collapsed: true,
    entries: [
      ['Install and ship', 'operations'],
      ['Settings', 'reference/settings'],
      ['Try the operations once', 'running/first-day'],
      ['Sizing', 'running/sizing'],
      ['Metrics', 'operations#metrics'],
      ['Traces', 'operations#traces'],
      ['Retention', 'operations#retention'],
      ['Mail', 'operations#mail'],
      ['Sign-in with an identity provider', 'guides/sign-in'],
      ['Identity provider', 'operations#identity-provider'],
      ['A lost account', 'operations#a-lost-account'],
      ['Backups', 'operations#backups'],
      ['Upgrades', 'operations#upgrades'],
      ['High availability', 'running/high-availability'],
      ['Security model', 'security'],
    ],
  },
  {
    text: 'How it is built',
    collapsed: true,
    entries: [
      ['Architecture', 'architecture'],
      ['The engine', 'engine'],
      ['Messaging', 'messaging'],
      ['The sandbox', 'sandbox'],
      ['Measuring', 'measuring'],
      ['Rules of the webhook trigger', 'webhook-trigger-rules'],
      ['Contributing', 'contributing'],
      ['Settings for tests and measurements', 'reference/test-settings'],
      ['The repository', 'repository'],
      ['Changelog', 'changelog'],
    ],
  },
];

/** Pages of a kind that are listed automatically. */
const COLLECTIONS = [
  { text: 'Rooms of the code', prefix: 'rooms/' },
  { text: 'Decisions', prefix: 'decisions/' },
  { text: 'Specifications', prefix: 'spec/' },
];

/**
 * The sidebar.
 * @param hasSection whether a page has a heading with that anchor
 */
export function toSidebar(
  pages: readonly HelpPage[],
  hasSection: (page: HelpPage, anchor: string) => boolean,
): NavigationItem[] {
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const exists = ([, target]: Entry): boolean => {
    const [address = '', anchor] = target.split('#');
    const page = byAddress.get(address);
    return page !== undefined && (anchor === undefined || hasSection(page, anchor));
  };
  const sections = SECTIONS.map(({ text, collapsed, entries }) => ({
    text,
    collapsed,
    items: entries
      .filter(exists)
      .map(([label, target]): NavigationItem => ({ text: label, link: `/${target}` })),
  }));
  const collections = COLLECTIONS.map(({ text, prefix }) => ({
    text,
    collapsed: true,
    items: pages.filter(({ address }) => address.startsWith(prefix)).map(toItem),
  }));
  const more = listUnlisted(pages).map(toItem);
  const built = sections.at(-1);
  if (built) built.items = [...built.items, ...collections.filter(({ items }) => items.length > 0)];
  return more.length > 0 ? [...sections, { text: 'More', collapsed: true, items: more }] : sections;
}

const toItem = ({ title, address }: HelpPage): NavigationItem => ({ text: title, link: `/${address}` });

/** Pages in neither a list nor a collection. */
export function listUnlisted(pages: readonly HelpPage[]): HelpPage[] {
  const listed = new Set(
    SECTIONS.flatMap(({ entries }) => entries.map(([, target]) => target.split('#')[0])),
  );
  return pages.filter(
    ({ address }) =>
      address !== '' && !listed.has(address) && !COLLECTIONS.some(({ prefix }) => address.startsWith(prefix)),
  );
}
