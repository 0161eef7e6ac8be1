// The help site: VitePress over the documents of the repository (docs/decisions/help-site.md).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { moveScriptsOut } from './external-scripts.ts';
import { addDarkPictures, keepBraces, linkPages } from './links.ts';
import { toSidebar } from './navigation.ts';
import { anchorOf, type HelpPage, listPages } from './pages.ts';
import { addProductColors } from './product-colors.ts';

// VitePress runs with the project's folder as the working directory (server/launcher/build.ts).
const root = process.cwd();
const BASE = '/help/';
const pages = listPages(root);
const isPage = new Set(pages.map(({ path }) => path));

const hasSection = ({ path }: HelpPage, anchor: string): boolean =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].some(
    ([, heading = '']) => anchorOf(heading) === anchor,
  );

export default defineConfig({
  title: 'Patchbay',
  titleTemplate: ':title · Patchbay help',
  description: 'How to build workflows with Patchbay, and how to run it.',
  lang: 'en-US',
  base: BASE,
  srcDir: root,
  // Names that begin with a dot are ignored.
  srcExclude: [
    'node_modules/**',
    '**/node_modules/**',
    'test-results/**',
    'playwright-report/**',
    ...listOthers(),
  ],
  rewrites: Object.fromEntries(pages.map(({ path, address }) => [path, `${address || 'index'}.md`])),
  cacheDir: join(root, 'node_modules', '.cache', 'vitepress'),
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  markdown: {
    html: false,
    // The output of commands (docs/testing/read-blocks.ts).
    languageAlias: { output: 'text' },
    image: { lazyLoad: true },
    anchor: { slugify: anchorOf },
    config: (md) => {
      md.set({ linkify: false });
      linkPages(md, root, pages);
      addDarkPictures(md);
      keepBraces(md);
    },
  },
  // Separate from the product's PostCSS and public files.
  vite: {
    publicDir: false,
    css: { postcss: {} },
    plugins: [addProductColors(root)],
    logLevel: 'warn',
  },
  transformHtml: (html, _, { siteConfig }) => moveScriptsOut(html, siteConfig.outDir, BASE),
  themeConfig: {
    siteTitle: 'Patchbay help',
    sidebar: toSidebar(pages, hasSection),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    nav: [{ text: 'Open Patchbay', link: '/../', target: '_self', rel: '' }],
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: {
      title: 'Page not found',
      quote: 'The help of this version has no such page. Search for it, or begin with the first page.',
      linkLabel: 'Open the first page of the help',
      linkText: 'Open the first page',
    },
  },
});

/** Documents without a page. */
function listOthers(): string[] {
  return ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/README.md', 'bench/results/**'].filter(
    (path) => !isPage.has(path),
  );
}
