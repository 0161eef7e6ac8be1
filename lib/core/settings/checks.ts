// Settings that are valid one by one but contradict each other.
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';

/** A setting that cannot be used: its name and what is wrong with it. */
export interface SettingProblem {
  name: string;
  message: string;
}

/** The message lists every invalid setting. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(
      `These settings cannot be used:\n${problems.map(({ name, message }) => `  ${name}: ${message}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Settings by their names. */
export type Environment = Record<string, string | undefined>;

/** Both have to be set, or neither. */
const PAIRS = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['MEDIA_S3_ACCESS_KEY_ID', 'MEDIA_S3_SECRET_ACCESS_KEY'],
  ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_CLIENT_ID'],
] as const;

const DEFAULT_PORT = '3000';

/** @param given settings as texts; an empty one counts as absent */
export function findContradictions(given: Environment): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const report = (name: string, message: string): void => void problems.push({ name, message });
  for (const [one, other] of PAIRS)
    if (!given[one] !== !given[other])
      report(given[one] ? other : one, `set ${one} and ${other}, or neither`);
  if (given['MEDIA_STORE'] === 's3' && !given['MEDIA_S3_BUCKET'])
    report('MEDIA_S3_BUCKET', 'MEDIA_STORE=s3 needs a bucket');
  if (given['METRICS_PORT'] && Number(given['METRICS_PORT']) === Number(given['PORT'] || DEFAULT_PORT))
    report('METRICS_PORT', `${given['METRICS_PORT']} is PORT, too: choose another port for one of them`);
  const keyProblem = given['ENCRYPTION_KEYS'] ? findKeyMistake(given['ENCRYPTION_KEYS']) : null;
  if (keyProblem !== null) report('ENCRYPTION_KEYS', keyProblem);
  return problems;
}

function findKeyMistake(keys: string): string | null {
  try {
    createSecretBox(keys);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// Environment variables whose names are nearly a setting's: they would be silently ignored.

/** Shorter names are similar to too many others. */
const LEAST_CHARACTERS = 8;
const MOST_EDITS = 2;

/**
 * Variables that are probably meant as a setting that is not set.
 * @param known the names of all settings
 */
export function findMisspelled(given: Environment, known: readonly string[]): SettingProblem[] {
  const names = new Set(known.flatMap((name) => [name, `${name}_FILE`]));
  const missing = known.filter((name) => !given[name] && !given[`${name}_FILE`]);
  return Object.keys(given).flatMap((name) => {
    if (!given[name] || names.has(name) || name.length < LEAST_CHARACTERS || !name.includes('_')) return [];
    const meant = missing.find((candidate) =>
      [candidate, `${candidate}_FILE`].some((text) => isNear(name.toUpperCase(), text)),
    );
    return meant === undefined
      ? []
      : [{ name, message: `is no setting of Patchbay. Did you mean ${meant}? If not, rename or remove it` }];
  });
}

const isNear = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= MOST_EDITS && countEdits(one, other) <= MOST_EDITS;

/** Edit distance with swaps (optimal string alignment); Infinity where it is surely above the limit, which ends it early. */
function countEdits(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast?.[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last ?? [], current];
    // A swap reaches back two rows, so that both have to be above it.
    if (Math.min(...beforeLast, ...last) > MOST_EDITS) return Infinity;
  }
  return last?.[other.length] ?? 0;
}

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

// Settings that come from files, as secrets of containers do.

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
