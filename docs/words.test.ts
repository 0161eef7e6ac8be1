// No text of the product has a word that docs/glossary.md avoids.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProductTexts, textsOf } from './product-texts.ts';

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

test.each([
  ['<p>Shown to people</p>', ['Shown to people']],
  ['<img alt="A picture" className="flex" />', ['A picture']],
  ["throw new AppError('not_found', `No run ${id} here`)", ['not_found', 'No run … here']],
  ["z.string().meta({ title: 'Its title' })", ['Its title']],
  ["import x from 'nowhere'; type A = 'one'; a['b']; ({ 'c d': 1 })", []],
])('%s', (source, texts) => {
  expect(textsOf('a.tsx', source).map(({ text }) => text)).toEqual(texts);
});
