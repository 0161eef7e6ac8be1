// Settings that come from files, as secrets of containers do.
import { readFileSync } from 'node:fs';
import type { Environment, SettingProblem } from './problems.ts';

const SUFFIX = '_FILE';

/**
 * Reads the settings that come from files: `AUTH_SECRET_FILE` names one that holds `AUTH_SECRET`. Without the line break at its end.
 * @param environment gets the settings
 * @param known the names of all settings
 * @returns the variables whose file cannot be read, or whose setting is given otherwise, too
 */
export function readSettingFiles(environment: Environment, known: readonly string[]): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const [name, path] of Object.entries(environment)) {
    const setting = name.slice(0, -SUFFIX.length);
    if (!path || !name.endsWith(SUFFIX) || !known.includes(setting)) continue;
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      // A process that another one started has the setting already.
      if (environment[setting] && environment[setting] !== value)
        problems.push({ name, message: `${setting} is set, too, and to something else: remove one of them` });
      environment[setting] = value;
    } catch (error) {
      problems.push({ name, message: `the file cannot be read: ${(error as Error).message}` });
    }
  }
  return problems;
}
