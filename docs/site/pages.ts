// The documents of the repository that are pages of the help, and their addresses. Addresses are relative to /help/.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HelpPage {
  /** In the repository, such as `docs/guides/first-flow.md`. */
  path: string;
  /** Such as `guides/first-flow`; empty: the first page. */
  address: string;
  title: string;
}

const SOURCES = [
  'docs/**/*.md',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'ops/ha/README.md',
  'sandbox/README.md',
  'lib/**/README.md',
];
/** A list for readers of the repository: the help has its navigation. */
const LEFT_OUT = /^docs\/(README\.md$|screens\/)/;

/** Addresses that do not follow from the path. */
const NAMED: Readonly<Record<string, string>> = {
  'docs/index.md': '',
  'README.md': 'repository',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'bench/README.md': 'measuring',
  'ops/ha/README.md': 'running/high-availability',
  'sandbox/README.md': 'sandbox',
};

/** The address of a document's page. */
const addressOf = (path: string): string =>
  NAMED[path] ??
  path
    .replace(/^docs\//, '')
    .replace(/^lib\/(.+)\/README\.md$/, 'rooms/$1')
    .replace(/\.md$/, '');

/** Every page, by path. */
export function listPages(root: string): HelpPage[] {
  return globSync(SOURCES, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
    .map((path) => ({
      path,
      address: addressOf(path),
      title: titleOf(readFileSync(join(root, path), 'utf8')),
    }));
}

/** The first heading. */
function titleOf(markdown: string): string {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? /^title: (.+)$/m.exec(markdown) ?? [];
  return title.replaceAll('`', '');
}

/** The anchor of a heading, as GitHub makes it: links between documents work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\d\s_-]/gu, '')
    .replace(/\s/g, '-');
