import { join, resolve } from 'node:path';
import { needsSetupCode } from '#lib/identity/auth/setup-code.ts';
import { parseSettings } from '#lib/core/env.ts';
import type { Environment } from './environments.ts';
import { LaunchError } from './launch-error.ts';

/** What the launcher itself decides by; web and worker read the rest from their environment. */
export interface LaunchSettings {
  root: string;
  dataFolder: string;
  /** null: loopback. */
  host: string | null;
  /** 0: a free port is chosen. */
  port: number;
  /** null: the address on this machine, once the port is known. */
  baseUrl: string | null;
  /** The owner's account takes a code that the launcher prints. */
  needsSetupCode: boolean;
  /** null: the embedded database. */
  databaseUrl: string | null;
  /** null: no sandbox. `portGiven`: the port was asked for, so another will not do. */
  sandbox: { host: string; port: number; portGiven: boolean; publicUrl: string | null } | null;
  /** More than one share the port. */
  webProcesses: number;
  workerProcesses: number;
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
 * Reads and checks all settings before anything is started (README.md, "Settings").
 * @throws LaunchError that names every setting that cannot be used.
 */
export function readLaunchSettings(environment: Environment, root: string): LaunchSettings {
  const given = (name: string): string | null => environment[name] || null;
  const settings = checkSettings({
    ...environment,
    DATABASE_URL: given('DATABASE_URL') ?? PLACEHOLDER_DATABASE,
  });
  const sandboxWanted =
    settings.SANDBOX === undefined
      ? settings.PATCHBAY_ENV !== 'production' && !MESSAGING_SETTINGS.some(given)
      : settings.SANDBOX === 'on';
  return {
    root,
    dataFolder: resolve(root, given('PATCHBAY_DATA_DIR') ?? '.data'),
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
    webProcesses: readCount('WEB_PROCESSES', given('WEB_PROCESSES'), 1),
    workerProcesses: readCount('WORKER_PROCESSES', given('WORKER_PROCESSES'), 0),
  };
}

/** The bundle that runs as the given part of the product. */
export function programFile(root: string, part: 'web' | 'worker' | 'sandbox'): string {
  return join(root, '.programs', part === 'sandbox' ? 'sandbox/main.mjs' : `${part}.mjs`);
}

function checkSettings(environment: Environment): ReturnType<typeof parseSettings> {
  try {
    return parseSettings(environment);
  } catch (cause) {
    throw new LaunchError((cause as Error).message, { cause });
  }
}

function readCount(name: string, text: string | null, least: number): number {
  const count = Number(text ?? 1);
  if (Number.isInteger(count) && count >= least && count <= MOST_PROCESSES) return count;
  throw new LaunchError(`${name} must be a whole number from ${least} to ${MOST_PROCESSES}, not "${text}".`);
}
