import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import type { MarkdownOptions } from 'vitepress';
import type { HelpPage } from './pages.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<MarkdownIt['parse']>[number];

const OUTSIDE = /^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i;

/**
 * Makes links between documents of the repository links between pages. A link to anything else, such as a source file, becomes
 * plain text: readers of the help may not have the repository.
 */
export function linkPages(md: MarkdownIt, root: string, pages: readonly HelpPage[]): void {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  md.core.ruler.push('help-links', ({ tokens, env }: { tokens: Token[]; env: { path?: string } }) => {
    const path = env.path ?? join(root, 'docs/index.md');
    for (const { children } of tokens)
      if (children) {
        rewriteLinks(children, relative(root, path), byPath);
        dropMissingPictures(children, dirname(path));
      }
  });
}

function rewriteLinks(tokens: Token[], from: string, pages: ReadonlyMap<string, HelpPage>): void {
  let isDropped = false;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'link_close' && isDropped) {
      isDropped = false;
      token.type = 'text';
      token.tag = token.content = '';
    }
    if (token.type !== 'link_open') continue;
    const href = token.attrGet('href') ?? '';
    if (OUTSIDE.test(href)) continue;
    const [target = '', anchor] = decodeURI(href).split('#');
    const page = pages.get(join(dirname(from), target));
    isDropped = page === undefined;
    if (page) {
      token.attrSet('href', `/${page.address}${anchor ? `#${anchor}` : ''}`);
      const label = tokens[index + 1];
      // A file's name is only meaningful in the repository.
      if (label?.content && [target, basename(target)].includes(label.content)) label.content = page.title;
    } else {
      token.type = 'text';
      token.tag = token.content = '';
    }
  }
}

/** A missing picture becomes its description. */
function dropMissingPictures(tokens: Token[], folder: string): void {
  for (const token of tokens) {
    const source = token.type === 'image' ? (token.attrGet('src') ?? '') : '';
    if (source === '' || OUTSIDE.test(source) || existsSync(join(folder, decodeURI(source)))) continue;
    token.type = 'text';
    token.tag = '';
    token.attrs = null;
    token.children = null;
  }
}

/** Braces in prose and in inline code are text, not expressions of VitePress's page template. */
export function keepBraces(md: MarkdownIt): void {
  for (const type of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[type];
    if (!render) continue;
    md.renderer.rules[type] = (...parameters) => render(...parameters).replaceAll('{{', '&#123;&#123;');
  }
}

/** A picture of a screen in light colors is followed by its dark twin; the style sheet shows one of them. */
export function addDarkPictures(md: MarkdownIt): void {
  const LIGHT = /-light\.png$/;
  md.core.ruler.push('help-pictures', ({ tokens, env }: { tokens: Token[]; env: { path?: string } }) => {
    for (const token of tokens)
      token.children =
        token.children?.flatMap((each) => {
          const source = each.type === 'image' ? (each.attrGet('src') ?? '') : '';
          const dark = source.replace(LIGHT, '-dark.png');
          if (dark === source || !existsSync(join(dirname(env.path ?? ''), dark))) return [each];
          const twin = Object.assign(Object.create(Object.getPrototypeOf(each) as object) as Token, each);
          twin.attrs = each.attrs?.map(([name, value]) => [name, value]) ?? null;
          twin.attrSet('src', dark);
          each.attrJoin('class', 'light-only');
          twin.attrJoin('class', 'dark-only');
          return [each, twin];
        }) ?? null;
  });
}
