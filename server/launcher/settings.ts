import { join, resolve } from 'node:path';
import { needsSetupCode } from '#lib/identity/auth/create-account.ts';
import { parseSettings, takeSettingFiles } from '#lib/core/env.ts';
import { findFolderProblems, type SettingProblem } from '#lib/core/settings/checks.ts';
import { programsFolder } from './builds.ts';
import type { Environment } from './environments.ts';
import { LaunchError } from './launch-error.ts';

/** The launcher's own settings; web and worker read the rest from their environment. */
export interface LaunchSettings {
  root: string;
  dataFolder: string;
  /** Where files that customers sent are stored; null: in S3. */
  mediaFolder: string | null;
  /** null: loopback. */
  host: string | null;
  /** 0: a free port is chosen. */
  port: number;
  /** null: the address on this machine, once the port is known. */
  baseUrl: string | null;
  /** The owner's account requires a code that the launcher prints. */
  needsSetupCode: boolean;
  /** null: the embedded database. */
  databaseUrl: string | null;
  /** null: no sandbox. `portGiven`: the port is configured, so that no other one is used. */
  sandbox: { host: string; port: number; portGiven: boolean; publicUrl: string | null } | null;
  /** More than one share the port. */
  webProcesses: number;
  workerProcesses: number;
  /** Web, worker and sandbox run from their sources, and are restarted when these change. */
  development: boolean;
}

const MESSAGING_SETTINGS = [
  'MESSAGING_GRAPH_URL',
  'MESSAGING_AUTHORIZE_URL',
  'MESSAGING_TOKEN_URL',
  'MESSAGING_CLIENT_ID',
  'MESSAGING_CLIENT_SECRET',
];
const MOST_PROCESSES = 64;
const PLACEHOLDER_DATABASE = 'postgres://embedded';

/**
 * Reads and checks all settings before anything is started (docs/reference/settings.md).
 * @param environment receives the contents of `<SETTING>_FILE` @throws LaunchError that names every invalid setting.
 */
export function readLaunchSettings(environment: Environment, root: string): LaunchSettings {
  const problems = [...takeSettingFiles(environment), ...findFolderProblems(environment, root)];
  const given = (name: string): string | null => environment[name] || null;
  const readCount = (name: string, least: number): number => {
    const count = Number(given(name) ?? 1);
    if (!Number.isInteger(count) || count < least || count > MOST_PROCESSES)
      problems.push({
        name,
        message: `must be a whole number from ${least} to ${MOST_PROCESSES}, not "${given(name)}"`,
      });
    return count;
  };
  const [webProcesses, workerProcesses] = [readCount('WEB_PROCESSES', 1), readCount('WORKER_PROCESSES', 0)];
  const settings = checkSettings(
    { ...environment, DATABASE_URL: given('DATABASE_URL') ?? PLACEHOLDER_DATABASE },
    problems,
  );
  const sandboxWanted =
    settings.SANDBOX === undefined
      ? settings.PATCHBAY_ENV !== 'production' && !MESSAGING_SETTINGS.some(given)
      : settings.SANDBOX === 'on';
  const dataFolder = resolve(root, given('PATCHBAY_DATA_DIR') ?? '.data');
  return {
    root,
    dataFolder,
    mediaFolder:
      settings.MEDIA_STORE === 's3'
        ? null
        : resolve(root, settings.MEDIA_FOLDER ?? join(dataFolder, 'media')),
    host: settings.HOST ?? null,
    port: settings.PORT,
    baseUrl: given('BASE_URL') ? settings.BASE_URL : null,
    needsSetupCode: needsSetupCode(settings),
    databaseUrl: given('DATABASE_URL'),
    sandbox: sandboxWanted
      ? {
          host: given('SANDBOX_HOST') ?? '127.0.0.1',
          port: settings.SANDBOX_PORT,
          portGiven: given('SANDBOX_PORT') !== null && settings.SANDBOX_PORT !== 0,
          publicUrl: given('SANDBOX_PUBLIC_URL'),
        }
      : null,
    webProcesses,
    workerProcesses,
    development: false,
  };
}

export type Part = 'web' | 'worker' | 'sandbox';
type Program = 'start' | 'end-abandoned' | Part;

/** Node's arguments for a part of the product: its bundle, or its sources in development. The file is last. */
export function nodeArguments({ root, development }: LaunchSettings, part: Program): string[] {
  if (!development) return [programFile(root, part)];
  const file = part === 'sandbox' ? 'sandbox/main.ts' : `server/${part}.ts`;
  return ['--enable-source-maps', join(root, file)];
}

/** The bundle of a part of the product. */
export function programFile(root: string, part: Program): string {
  return join(programsFolder(root), part === 'sandbox' ? 'sandbox/main.mjs' : `${part}.mjs`);
}

function checkSettings(
  environment: Environment,
  problems: readonly SettingProblem[],
): ReturnType<typeof parseSettings> {
  try {
    return parseSettings(environment, problems);
  } catch (cause) {
    throw new LaunchError((cause as Error).message, { cause });
  }
}
