// The product stays small enough to be read: `npm run lines` counts it.
import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';
import { readSources } from './read-sources.ts';
import { isProduct, measureTree } from './tree-figures.ts';

const MOST_FILES = 1435;
const MOST_SHORT_FILES = 230;
const MOST_LINES_OF_A_FILE = 350;
const MOST_FILES_OF_A_FOLDER = 25;

/** Folders with more files, each with the reason. */
const LARGER_FOLDERS: Readonly<Record<string, string>> = {
  'lib/tasks': 'what is in a folder of it is a task type, which other task types may not import',
  'server/launcher': 'one file a step of starting, which read each other in every direction',
};

const product = readSources(dirname(import.meta.dirname)).filter(({ path }) => isProduct(path));

test('it has few files, and few of them are short: small parts stand with what they belong to', () => {
  const { files, shortFiles } = measureTree(product).product;
  expect(files).toBeGreaterThan(0);
  expect(files).toBeLessThanOrEqual(MOST_FILES);
  expect(shortFiles).toBeLessThanOrEqual(MOST_SHORT_FILES);
});

test('no file is too long', () => {
  const tooLong = product.filter(({ text }) => text.split('\n').length - 1 > MOST_LINES_OF_A_FILE);
  expect(tooLong.map(({ path }) => path)).toEqual([]);
});

test('a folder with many files gets a second level', () => {
  const folders = Map.groupBy(product, ({ path }) => dirname(path));
  const large = [...folders]
    .filter(([, files]) => files.length > MOST_FILES_OF_A_FOLDER)
    .map(([folder]) => folder);
  expect(large.toSorted()).toEqual(Object.keys(LARGER_FOLDERS).toSorted());
});
