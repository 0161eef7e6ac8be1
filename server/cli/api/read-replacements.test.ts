import { expect, test } from 'vitest';
import { readReplacements } from './read-replacements.ts';

const known = { inFiles: ['Shop', 'Shop=DE', 'A=B'], here: ['Laden', 'Laden=1', 'DE=Laden'] };

test.each([
  ['Shop=Laden', { Shop: 'Laden' }],
  ['Shop=DE=Laden', { Shop: 'DE=Laden' }, { ...known, inFiles: ['Shop'] }],
  ['Shop=DE=Laden', { 'Shop=DE': 'Laden' }, { ...known, here: ['Laden'] }],
  ['A=B=Laden=1', { 'A=B': 'Laden=1' }],
  ['A=B=Missing', { 'A=B': 'Missing' }],
  ['Not in the files=Laden', { 'Not in the files': 'Laden' }],
])('%s: an = in a name belongs to the names that there are', (text, expected, names = known) => {
  expect(readReplacements([text], names)).toEqual(expected);
});

test.each(['Shop', 'Shop=', '=Laden', 'X=Y=Z'])('%s is refused', (text) => {
  expect(() => readReplacements([text], known)).toThrow(
    `Write --connection as <name in the file>=<name here>, not ${text}`,
  );
});

test('what can be read in two ways is refused', () => {
  expect(() => readReplacements(['Shop=DE=Laden'], known)).toThrow(
    'Write --connection as <name in the file>=<name here>: Shop=DE=Laden can mean “Shop” or “Shop=DE”. Rename one of them.',
  );
});
