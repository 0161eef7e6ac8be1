// The order of starting and stopping Patchbay. Called by server/start.ts only.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFirstStart, setupCodeOf } from '#lib/identity/auth/create-account.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { connectionBudget, findConnectionShortage } from '#lib/core/db/connection-budget.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { listenHosts, localUrl } from '#lib/core/http/listen-hosts.ts';
import { holdPages, holdPrograms } from './builds.ts';
import { superviseDatabase } from './database.ts';
import { openDoor } from './door.ts';
import { appEnvironment, type EnvironmentInput, type SandboxAddress } from './environments.ts';
import { startKeeper } from './keeper.ts';
import { claimPort, claimPortOrAnother } from './ports.ts';
import { prepareStored } from './prepare-stored.ts';
import { startProcessGroup, type ProcessGroup } from './process-group.ts';
import { restartOnChange } from './restart-on-change.ts';
import { readOrCreateSecrets } from './secrets.ts';
import { type LaunchSettings, nodeArguments } from './settings.ts';
import { claimInstance, type Instance, type RunningElsewhere } from './single-instance.ts';
import { migrationsFolder } from '../root.ts';

export interface Launch {
  url: string;
  /** The setup code for the owner's account; null: there is an owner, or Patchbay is not reachable for others. */
  setupCode: string | null;
  /** Stops everything, in the reverse order of its start. */
  stop(): Promise<void>;
  /** Call it when the process that started the launcher has ended. */
  orphan(): void;
}

interface Context {
  settings: LaunchSettings;
  instance: Instance;
  build: () => Promise<void>;
  say: (line: string) => void;
  cancelled: AbortSignal;
  /** Cleanup of started parts, newest last. */
  undo: (() => Promise<void> | void)[];
}

/**
 * Starts Patchbay; settles when it is ready. @param build builds the programs, once no other Patchbay runs from the data
 * folder; its errors are rethrown. @param cancelled ends the start early: started parts are stopped, and the signal's reason is
 * thrown. @returns the launch, or the address of the one that already runs from the same data folder. @throws LaunchError or
 * EmbeddedPostgresError, whose messages have the fix.
 */
export async function launch(
  settings: LaunchSettings,
  build: () => Promise<void>,
  say: (line: string) => void,
  cancelled: AbortSignal,
): Promise<Launch | RunningElsewhere> {
  mkdirSync(settings.dataFolder, { recursive: true });
  // When started by root, the database's account has to pass through this folder; every file in it has its own mode.
  chmodSync(settings.dataFolder, 0o711);
  const instance = await claimInstance(settings.dataFolder, urlAt(settings, settings.port), say);
  if ('runningAt' in instance) return instance;
  const undo: Context['undo'] = [() => instance.release()];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const up = await bringUp({ settings, instance, build, say, cancelled, undo });
    return { ...up, stop, orphan: () => instance.update({ orphaned: true }) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp({
  settings,
  instance,
  build,
  say,
  cancelled,
  undo,
}: Context): Promise<Pick<Launch, 'url' | 'setupCode'>> {
  const address = { hosts: listenHosts(settings.host), port: settings.port };
  const port = await claimPort(address, 'PORT');
  const baseUrl = urlAt(settings, port);
  instance.update({ url: baseUrl });
  const secrets = readOrCreateSecrets(settings.dataFolder, say);
  await build();
  holdPrograms();
  if (!settings.development) holdPages(settings.root);

  let group: ProcessGroup | null = null;
  const databaseUrl = await startDatabase(settings, say, undo, () => void group?.restart('web', 'worker'));
  await migrateDatabase(databaseUrl(), migrationsFolder);
  await prepareStored(databaseUrl(), process.env['ENCRYPTION_KEYS'] || secrets.ENCRYPTION_KEYS);
  const shortage = await withDatabase(databaseUrl(), ({ $client }) =>
    findConnectionShortage($client, settings),
  );
  if (shortage !== null) say(shortage);
  const sandbox = await findSandboxAddress(settings);
  cancelled.throwIfAborted();

  const door = settings.development ? await openDoor({ ...address, port }) : null;
  if (door) undo.push(() => door.close());
  const sharePort = settings.webProcesses > 1;
  const input = () => ({
    own: process.env,
    port,
    baseUrl,
    databaseUrl: databaseUrl(),
    secrets,
    sandbox,
    mediaFolder: settings.mediaFolder ?? join(settings.dataFolder, 'media'),
    sharePort,
    innerPort: door?.innerPort ?? null,
    development: settings.development,
  });
  const started = startProcessGroup(settings, input, say, (children) => instance.update({ children }));
  group = started;
  undo.push(() => started.stop());
  if (door) undo.push(restartOnChange(settings.root, started, door, say));
  await Promise.race([started.ready, rejectWhen(cancelled)]);
  return { url: baseUrl, setupCode: settings.needsSetupCode ? await findSetupCode(input()) : null };
}

/** Null once there is an owner. */
async function findSetupCode(input: EnvironmentInput): Promise<string | null> {
  return withDatabase(input.databaseUrl, async (db) =>
    (await isFirstStart(db)) ? setupCodeOf(appEnvironment(input).AUTH_SECRET ?? '') : null,
  );
}

async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(url, { maxConnections: 1, name: 'patchbay-launcher' });
  try {
    return await work(db);
  } finally {
    await db.$client.end();
  }
}

/** @returns a function for the database's current URL */
async function startDatabase(
  settings: LaunchSettings,
  say: Context['say'],
  undo: Context['undo'],
  moved: () => void,
): Promise<() => string> {
  const given = settings.databaseUrl;
  const keep = (folder: string | null) => {
    const keeper = startKeeper(nodeArguments(settings, 'end-abandoned'), settings.dataFolder, folder);
    undo.push(() => keeper.dismiss());
  };
  if (given) {
    say('Preparing the database');
    keep(null);
    return () => given;
  }
  say('Starting the database');
  const database = await superviseDatabase(settings.dataFolder, connectionBudget(settings), say, moved);
  undo.push(() => database.stop());
  keep(database.dataFolder);
  return () => database.url;
}

async function findSandboxAddress({ sandbox }: LaunchSettings): Promise<SandboxAddress | null> {
  if (!sandbox) return null;
  const address = { hosts: [sandbox.host], port: sandbox.port };
  const port = sandbox.portGiven
    ? await claimPort(address, 'SANDBOX_PORT')
    : await claimPortOrAnother(address);
  return { port, publicUrl: sandbox.publicUrl ?? `http://127.0.0.1:${port}` };
}

function urlAt({ baseUrl, host }: LaunchSettings, port: number): string {
  return baseUrl ?? localUrl(host, port);
}

async function rejectWhen(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}
