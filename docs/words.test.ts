// No text of the product has a word that docs/glossary.md avoids, and no sentence that was replaced comes back.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProductTexts, textsOf } from './product-texts.ts';
import { ALSO_IN_DOCUMENTS, CHECKED_DOCUMENTS, CHECKED_FOLDERS, DIALECT } from './comment-dialect.ts';
import { RETIRED } from './retired-sentences.ts';

const root = join(import.meta.dirname, '..');
const avoided = new RegExp(`(?<![\\w-])(${listAvoidedWords().join('|')})(?![\\w-])`, 'i');

/** The left column of the table under "Words we avoid". */
function listAvoidedWords(): string[] {
  const glossary = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8');
  const [, table = ''] = glossary.split('## Words we avoid');
  return [...table.matchAll(/^\| (?!avoid)(\w[^|]*) \|/gm)]
    .flatMap(([, cell = '']) => cell.split(','))
    .map((word) => word.trim());
}

test('the product says none of the words that we avoid', () => {
  expect(listAvoidedWords().length).toBeGreaterThan(40);
  const found = listProductTexts(root)
    .filter(({ text }) => avoided.test(text))
    .map(({ file, line, text }) => `${file}:${line}: ${text}`);
  expect(found).toEqual([]);
});

const written = globSync(
  ['{app,components,lib,server,sandbox,docs,e2e}/**/*.{ts,tsx,md}', 'README.md', 'CONTRIBUTING.md'],
  { cwd: root },
)
  .filter((file) => !/^docs\/(spec\/|glossary\.md|retired-sentences\.ts)/.test(file))
  .map((file) => ({ file, text: withoutLineBreaks(readFileSync(join(root, file), 'utf8')) }));

/** Texts and comments may continue on the next line. */
function withoutLineBreaks(source: string): string {
  return source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

test.each(RETIRED)('%s is not written any more, but: %s', (old) => {
  expect(written.filter(({ text }) => old.test(text)).map(({ file }) => file)).toEqual([]);
});

/** Comments of a source text, each with its line; consecutive lines are one. Code in backticks is left out. */
function commentsOf(source: string): { line: number; text: string }[] {
  const comments: { line: number; text: string }[] = [];
  let isOpen = false;
  source.split('\n').forEach((line, index) => {
    const [, text] = /^\s*(?:\/\/|\/?\*+\/?)(.*)/.exec(line) ?? [];
    const last = comments.at(-1);
    if (text === undefined) isOpen = false;
    else if (isOpen && last) last.text += ` ${text.trim()}`;
    else {
      comments.push({ line: index + 1, text: text.trim() });
      isOpen = true;
    }
  });
  return comments.map(({ line, text }) => ({ line, text: text.replace(/`[^`]*`/g, '') }));
}

const dialectIn = (text: string): string[] =>
  DIALECT.flatMap(([pattern, write]) => {
    const found = pattern.exec(text);
    return found ? [`"${found[0]}": write ${write}`] : [];
  });

test('comments have no word of the dialect', () => {
  const files = globSync(`{${CHECKED_FOLDERS.join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: root }).filter(
    (file) => !/^docs\/words\.test\.ts$|lib\/api\/client\/schema\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(CHECKED_FOLDERS.length * 10);
  const found = files.flatMap((file) =>
    commentsOf(readFileSync(join(root, file), 'utf8')).flatMap(({ line, text }) =>
      dialectIn(text).map((problem) => `${file}:${line}: ${problem}`),
    ),
  );
  expect(found).toEqual([]);
});

/** Paragraphs and rows of tables, each with its line. Code, targets of links, labels of the screen and names of tests are left out. */
function paragraphsOf(document: string): { line: number; text: string }[] {
  const words = document
    .replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`]*`|\]\([^)]*\)|\*\*[^*]*\*\*|"[^"\n]*"/g, (label) => label.replace(/[^\n]/g, ' '));
  return words
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }))
    .reduce<{ line: number; text: string }[]>((paragraphs, each) => {
      const last = paragraphs.at(-1);
      const continues = /^\s*\w/.test(each.text) && last !== undefined && last.text.trim() !== '';
      if (continues) last.text += ` ${each.text.trim()}`;
      else paragraphs.push(each);
      return paragraphs;
    }, []);
}

test('documents have no word of the dialect but those for people', () => {
  const files = globSync([...CHECKED_DOCUMENTS], { cwd: root }).filter(
    (file) => !/^docs\/glossary\.md$|^bench\/results\//.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    paragraphsOf(readFileSync(join(root, file), 'utf8')).flatMap(({ line, text }) =>
      DIALECT.flatMap(([pattern, write]) => {
        const words = [...text.matchAll(new RegExp(pattern, 'gi'))].map(([word]) => word);
        return words
          .filter((word) => !ALSO_IN_DOCUMENTS.test(word))
          .map((word) => `${file}:${line}: "${word}": write ${write}`);
      }),
    ),
  );
  expect(found).toEqual([]);
});

test.each([
  ['A list that\nis told\n\n| told |', 2],
  ['**told**, "told", `told` and [it](#told)\n\n```\ntold\n```', 0],
])('%j has it in %d paragraphs', (document, count) => {
  expect(paragraphsOf(document).filter(({ text }) => /told/.test(text))).toHaveLength(count);
});

test.each([
  ['// What people are told.', 1],
  ['// Requests under way, meanwhile.', 2],
  ['/**\n * A run that has nothing to wait for goes\n * on.\n */', 1],
  ['// Members are told. Keys and ids can be\n// told apart by their prefix.', 1],
  ['// Identifies keys in lists.\nconst told = 1;', 0],
  ['/** @param rows as many as `told` says */', 0],
])('%j has %d words of the dialect', (source, count) => {
  expect(commentsOf(source).flatMap(({ text }) => dialectIn(text))).toHaveLength(count);
});

test.each([
  ['<p>Shown to people</p>', ['Shown to people']],
  ['<img alt="A picture" className="flex" />', ['A picture']],
  ["throw new AppError('not_found', `No run ${id} here`)", ['not_found', 'No run … here']],
  ["z.string().meta({ title: 'Its title' })", ['Its title']],
  ["import x from 'nowhere'; type A = 'one'; a['b']; ({ 'c d': 1 })", []],
])('%s', (source, texts) => {
  expect(textsOf('a.tsx', source).map(({ text }) => text)).toEqual(texts);
});
