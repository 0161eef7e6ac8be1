// Comments and documents only refer to what exists in this repository.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const FOLDERS = 'app,components,lib,server,sandbox,e2e,bench,ops,docs,drizzle,.ci';
/** Specifications are given; results are written by programs. */
const isWritten = (path: string): boolean => !/^docs\/spec\/|^bench\/results\//.test(path);

const code = globSync([`{${FOLDERS}}/**/*.{ts,tsx,mjs}`, '*.{ts,mjs}'], { cwd: root });
const documents = globSync(['*.md', `{${FOLDERS}}/**/*.md`], { cwd: root }).filter(isWritten);
const files = [...code, ...documents, ...globSync(`{${FOLDERS}}/**/*.{css,svg,json}`, { cwd: root })];

/** Files that the build or the first start creates. */
const MADE = /^\.(programs|data|next|pages)\//;
/** `lib/engine/run.ts`, and routes such as `app/(studio)/runs/[id]/page.tsx`. */
const PATH =
  /(?<![\w@/.#-])(?:docs|lib|app|components|server|sandbox|e2e|bench|ops)\/[\w()[\]./-]*?\w\.(?:tsx?|mjs|md|svg|css|json)\b/g;
const NAMED_FILE = /`([\w./-]+\.(?:tsx?|mjs|md|css))`/g;

interface Line {
  file: string;
  number: number;
  text: string;
}

const linesOf = (file: string): Line[] =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ file, number: index + 1, text }));

const isComment = ({ text }: Line): boolean => /^\s*(\/\/|\/?\*)|\/\*\*? /.test(text);
const comments = code.flatMap(linesOf).filter(isComment);
const prose = documents.flatMap(linesOf);
const at = ({ file, number }: Line, what: string): string => `${file}:${number}: ${what}`;

test('every path that a comment or a document names leads to a file', () => {
  const missing = [...comments, ...prose].flatMap((line) =>
    [...withoutLinks(line.text).matchAll(PATH)]
      .filter(([path]) => !existsSync(join(root, path)))
      .map(([path]) => at(line, path)),
  );
  expect(missing).toEqual([]);
});

test('every file that is named without its folder exists', () => {
  const missing = [...comments, ...prose].flatMap((line) =>
    [...line.text.matchAll(NAMED_FILE)]
      .filter(([, name = '']) => !MADE.test(name) && !isKnown(name))
      .map(([, name = '']) => at(line, name)),
  );
  expect(missing).toEqual([]);
});

test('every file and folder by which a room is entered is in that room', () => {
  const missing = globSync('lib/*/README.md', { cwd: root }).flatMap((path) => {
    const [, entries = ''] =
      /Enter by:? ([^]+?)(?:\n\n|May import)/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    return [...entries.matchAll(/`([\w./-]+)`/g)].flatMap(([, name = '']) =>
      existsSync(join(root, dirname(path), name)) ? [] : [`${path}: ${name}`],
    );
  });
  expect(missing).toEqual([]);
});

test('comments cite no document that is not in the repository', () => {
  const names = new Set(
    documents.concat(globSync('docs/spec/*.md', { cwd: root })).map((path) => basename(path)),
  );
  const missing = code
    .flatMap(linesOf)
    .flatMap((line) =>
      [...line.text.matchAll(/(?<![\w./<>*-])[\w/-]*\w\.md\b/g)]
        .filter(([path]) => !names.has(basename(path)))
        .map(([path]) => at(line, path)),
    );
  expect(missing).toEqual([]);
  const designs = comments.filter(({ text }) => /\bdesign(\.md)?,? sections? \d|\bhouse style\b/i.test(text));
  expect(designs.map((line) => at(line, line.text.trim()))).toEqual([]);
});

test('every section that a comment names is a heading of its document', () => {
  const missing = comments.flatMap((line) =>
    [...line.text.matchAll(/((?:docs|lib|sandbox|bench)\/[\w/-]+\.md|README\.md), "([^"]+)"/g)]
      .filter(([, path = '', heading = '']) => !headingsOf(path).includes(heading))
      .map(([citation]) => at(line, citation)),
  );
  expect(missing).toEqual([]);
});

test('every link between documents leads to a file and, where it names one, a heading', () => {
  const broken = prose.flatMap((line) =>
    [...line.text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, target = '', anchor]) => !leadsSomewhere(line.file, target, anchor))
      .map(([, target = '', anchor]) => at(line, anchor === undefined ? target : `${target}#${anchor}`)),
  );
  expect(broken).toEqual([]);
});

test('docs/README.md lists every page and folder of docs', () => {
  const listed = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
  const pages = globSync('docs/*', { cwd: root }).map((path) => basename(path));
  const wanted = pages.filter((page) => !/^(README\.md|testing)$|\.(ts|svg)$/.test(page));
  expect(wanted.filter((page) => !listed.includes(`](${page})`))).toEqual([]);
});

/** Links are checked from the folder of their document. */
function withoutLinks(text: string): string {
  return text.replace(/\]\([^)]*\)/g, ']');
}

function isKnown(name: string): boolean {
  return files.some((path) => path === name || path.endsWith(`/${name}`)) || existsSync(join(root, name));
}

function headingsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^#+ (.+)$|^\*\*(.+?)\.?\*\*/gm)].map(
    ([, heading, bold]) => heading ?? bold ?? '',
  );
}

function leadsSomewhere(from: string, target: string, anchor: string | undefined): boolean {
  const path = target === '' ? from : join(dirname(from), target);
  if (!existsSync(join(root, path))) return false;
  const toAnchor = (heading: string): string =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s-]/gu, '')
      .replace(/\s/g, '-');
  return anchor === undefined || headingsOf(path).map(toAnchor).includes(anchor);
}

test('the example of the client says which Node runs it: the one that comes with Patchbay', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  const [, section = ''] = readFileSync(join(root, 'docs', 'api.md'), 'utf8').split(
    '## The TypeScript client',
  );
  const [beforeExample] = section.split('```ts');
  expect(beforeExample).toContain(`Node ${dependencies.node.split('.')[0]}`);
});

test('how often to make a backup stands where the first day says', () => {
  expect(readFileSync(join(root, 'docs', 'running', 'first-day.md'), 'utf8')).toContain(
    '[Backups](../operations.md#backups) says what a backup holds and how often to make one',
  );
  const [, section = ''] = readFileSync(join(root, 'docs', 'operations.md'), 'utf8').split('\n## Backups\n');
  const [, howOften = ''] = (section.split('\n## ')[0] ?? '').split('\n### How often\n');
  expect(howOften).toMatch(/every night/);
});
