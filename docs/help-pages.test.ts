import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HELP_PAGES } from '#components/help/help-link.tsx';
import { listUnlisted, type NavigationItem, toSidebar } from './site/navigation.ts';
import { anchorOf, listPages } from './site/pages.ts';

const root = join(import.meta.dirname, '..');
const pages = listPages(root);
const headingsOf = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );

describe('the app links to pages and sections of the help that are there', () => {
  test.each(Object.entries(HELP_PAGES))('%s: %s', (_name, link) => {
    const [address = '', anchor] = link.replace(/^\/help\//, '').split('#');
    const page = pages.find((each) => each.address === address);
    expect(page).toBeDefined();
    if (anchor) expect(headingsOf(page?.path ?? '')).toContain(anchor);
  });
});

test('addresses of the help are written in one file', () => {
  const others = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => file !== 'components/help/help-link.tsx' && !/\.test\.tsx?$/.test(file))
    .filter((file) => /['"`]\/help\b/.test(readFileSync(join(root, file), 'utf8')));
  expect(others).toEqual([]);
});

test('every link of the first page leads to a page', () => {
  const text = readFileSync(join(root, 'docs', 'index.md'), 'utf8');
  const links = [...text.matchAll(/^ *link: \/(.+)$/gm)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !pages.some(({ address }) => address === link))).toEqual([]);
});

describe('the navigation', () => {
  const sidebar = toSidebar(pages, ({ path }, anchor) => headingsOf(path).includes(anchor));
  const linksOf = (items: readonly NavigationItem[]): string[] =>
    items.flatMap(({ link, items: below = [] }) => [...(link ? [link] : []), ...linksOf(below)]);

  test('has every page, those that no list names under "More"', () => {
    const linked = new Set(linksOf(sidebar).map((link) => link.slice(1).split('#')[0]));
    expect(pages.filter(({ address }) => address !== '' && !linked.has(address))).toEqual([]);
  });

  test('names each page in a list', () => {
    expect(listUnlisted(pages).map(({ path }) => path)).toEqual([]);
  });

  test.each([
    ['every morning', 'guides/time'],
    ['business hours', 'guides/time'],
    ['colleague', 'guides/colleagues'],
    ['ask', 'guides/conversations'],
  ])('people who build workflows find "%s" by a heading of a page of theirs', (words, address) => {
    const ofBuilders = linksOf(sidebar.filter(({ text }) => text === 'Build workflows'));
    expect(ofBuilders).toContain(`/${address}`);
    const page = pages.find((each) => each.address === address);
    const headings = readFileSync(join(root, page?.path ?? ''), 'utf8').match(/^#+ .+$/gm) ?? [];
    expect(headings.some((heading) => heading.toLowerCase().includes(words))).toBe(true);
  });

  test('pages for engineers and for administrators stand apart from those for builders', () => {
    const [build = [], ...others] = sidebar.map((section) => linksOf([section]));
    expect(sidebar[0]?.text).toBe('Build workflows');
    expect(build.filter((link) => others.flat().includes(link))).toEqual([]);
    expect(
      build.filter((link) => /api$|mcp|cli$|webhooks|settings|git$|operations|engine/.test(link)),
    ).toEqual([]);
  });

  test('has no page twice under the same name', () => {
    const labels = sidebar.flatMap(({ items = [] }) => items.map(({ text }) => text));
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });
});
