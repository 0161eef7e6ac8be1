// No text of the product has a word that docs/glossary.md avoids, and no sentence that was replaced comes back.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProductTexts, textsOf } from './product-texts.ts';
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

/** Texts and comments go on in the next line. */
function withoutLineBreaks(source: string): string {
  return source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

test.each(RETIRED)('%s is not written any more, but: %s', (old) => {
  expect(written.filter(({ text }) => old.test(text)).map(({ file }) => file)).toEqual([]);
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
