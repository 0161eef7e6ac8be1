// `npm run lines`: how large the product is, and what proves it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeTree, measureTree } from './tree-figures.ts';

const root = dirname(import.meta.dirname);
const SOURCES = ['*.ts', '*.tsx', '*.mjs', ':(exclude,attr:linguist-generated)'];
const listed = execFileSync('git', ['ls-files', '-z', '--', ...SOURCES], { cwd: root, encoding: 'utf8' });
const files = listed.split('\0').flatMap((path) => {
  try {
    return path === '' ? [] : [{ path, text: readFileSync(join(root, path), 'utf8') }];
  } catch {
    // It was deleted and that is not committed yet.
    return [];
  }
});
console.log(describeTree(measureTree(files)).join('\n'));
