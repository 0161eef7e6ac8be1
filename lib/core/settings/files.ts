// Settings that come from files, as secrets of containers do.
import { readFileSync } from 'node:fs';
import type { Environment, SettingProblem } from './problems.ts';

const SUFFIX = '_FILE';

/**
 * Reads settings from files: `AUTH_SECRET_FILE` names one that holds `AUTH_SECRET`, without its last line break.
 * @param environment receives the settings
 * @param known the names of all settings
 * @returns problems: files that cannot be read, and settings that are also set directly
 */
export function readSettingFiles(environment: Environment, known: readonly string[]): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const [name, path] of Object.entries(environment)) {
    const setting = name.slice(0, -SUFFIX.length);
    if (!path || !name.endsWith(SUFFIX) || !known.includes(setting)) continue;
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      // A child process inherits the setting that its parent read from the file.
      if (environment[setting] && environment[setting] !== value)
        problems.push({ name, message: `${setting} is set, too, and to something else: remove one of them` });
      environment[setting] = value;
    } catch (error) {
      problems.push({ name, message: `the file cannot be read: ${(error as Error).message}` });
    }
  }
  return problems;
}
