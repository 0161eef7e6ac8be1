import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Environment, SettingProblem } from './problems.ts';

/**
 * Folders that a setting names, that are needed, and that cannot be made or written to.
 * @param root what they are relative to
 */
export function findFolderProblems(given: Environment, root: string): SettingProblem[] {
  // With a database elsewhere the data folder may be missing: a container has none.
  const needed = [
    ...(given['DATABASE_URL'] ? [] : ['PATCHBAY_DATA_DIR']),
    ...(given['MEDIA_STORE'] === 's3' ? [] : ['MEDIA_FOLDER']),
  ];
  return needed.flatMap((name) => {
    const path = given[name];
    const message = path ? findMistake(resolve(root, path)) : null;
    return message === null ? [] : [{ name, message }];
  });
}

function findMistake(path: string): string | null {
  if (!existsSync(path) && dirname(path) !== path) return findMistake(dirname(path));
  if (!statSync(path).isDirectory()) return `${path} is a file, not a folder`;
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `this account cannot write to ${path}`;
  }
}
