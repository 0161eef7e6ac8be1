import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './tree-figures.ts';

const SOURCES = ['*.ts', '*.tsx', '*.mjs', ':(exclude,attr:linguist-generated)'];

/** TypeScript and JavaScript that git tracks, without what is generated. @param root of the repository */
export function readSources(root: string): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...SOURCES], { cwd: root, encoding: 'utf8' });
  return listed.split('\0').flatMap((path) => {
    try {
      return path === '' ? [] : [{ path, text: readFileSync(join(root, path), 'utf8') }];
    } catch {
      // It was deleted and that is not committed yet.
      return [];
    }
  });
}
