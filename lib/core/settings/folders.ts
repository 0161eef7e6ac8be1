import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Environment, SettingProblem } from './problems.ts';

/**
 * Folders of settings that are needed but cannot be created or written to.
 * @param root base of relative paths
 */
export function findFolderProblems(given: Environment, root: string): SettingProblem[] {
  // With an external database the data folder may be missing, as in containers.
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
