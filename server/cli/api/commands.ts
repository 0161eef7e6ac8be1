// The commands that work over the REST API, from any machine: PATCHBAY_URL and PATCHBAY_API_KEY identify the installation.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXPORT_FORMATS, EXPORT_KINDS } from '#lib/exports/export-format.ts';
import type { Output } from '../output.ts';
import { applyFiles, type ApplyOptions } from './apply.ts';
import { connect, take } from './api.ts';
import { exportWorkflows, type ExportOptions } from './export.ts';
import { exportHistory, type ExportHistoryOptions } from './export-history.ts';
import {
  listEvents,
  type ListOptions,
  listRuns,
  replayEvent,
  retryRun,
  tailEvents,
  tailRuns,
} from './history.ts';
import { applyRules, type ApplyRulesOptions, checkProvider, showRules } from './sign-in.ts';
import { deleteWorkflow, listTrash, restoreWorkflow } from './trash.ts';
import { findNamed, listWorkflows } from './workflows.ts';

const CHANGES = 2;

/** Adds the commands to the program. */
export function addApiCommands(program: Command, output: () => Output): void {
  addWorkflows(program, output);
  addFiles(program, output);
  addEvents(program, output);
  addRuns(program, output);
  addSignIn(program, output);
}

const api = () => connect(process.env);

function addWorkflows(program: Command, output: () => Output): void {
  const workflows = program.command('workflows').description('list and publish workflows (REST API)');
  workflows
    .command('list')
    .description('list all workflows')
    .action(async () => {
      const rows = (await listWorkflows(api())).map(
        ({ id, name, published_version, active, updated_at }) => ({
          id,
          name,
          published_version,
          active,
          updated_at,
        }),
      );
      output().give(
        rows,
        rows.map(({ id, name, published_version, active }) => {
          const state = active ? `version ${published_version}` : `version ${published_version}, paused`;
          return `${id}  ${published_version === null ? 'not published' : state}  ${name}`;
        }),
      );
    });
  workflows
    .command('publish')
    .argument('<workflow>', 'name or id')
    .description('publish the draft of a workflow')
    .action(async (nameOrId: string) => {
      const at = api();
      const { id } = findNamed(await listWorkflows(at), nameOrId);
      const { name, published_version, warnings } = await take(
        at,
        at.client.POST('/workflows/{id}/publish', { params: { path: { id } } }),
      );
      output().give({ id, name, published_version, warnings }, [
        `${name}: published as version ${published_version}`,
        ...warnings.map((warning) => `  ${warning}`),
      ]);
    });
  workflows
    .command('delete')
    .argument('<workflow>', 'name or id')
    .option('--cancel-runs', 'cancel its runs in progress; otherwise they continue')
    .description('move a workflow to the trash, from where it can be restored for 30 days')
    .action((nameOrId: string, { cancelRuns = false }: { cancelRuns?: boolean }) =>
      deleteWorkflow(api(), nameOrId, cancelRuns, output()),
    );
  workflows
    .command('trash')
    .description('list deleted workflows that can be restored')
    .action(() => listTrash(api(), output()));
  workflows
    .command('restore')
    .argument('<workflow>', 'name or id')
    .option('--activate', 'activate it; otherwise it stays paused')
    .description('restore a workflow from the trash')
    .action((nameOrId: string, { activate = false }: { activate?: boolean }) =>
      restoreWorkflow(api(), nameOrId, activate, output()),
    );
}

function addFiles(program: Command, output: () => Output): void {
  const exports = program
    .command('export')
    .argument('[workflows...]', 'names, or ids of those that are called events, runs or messages')
    .option('--folder <folder>', 'where the files go; required')
    .option('--all', 'every workflow')
    .description('write workflows into JSON files, one each, without secrets (REST API)')
    .action((names: string[], options: ExportOptions) => exportWorkflows(api(), names, options, output()));
  for (const kind of EXPORT_KINDS)
    exports
      .command(kind)
      .option('--from <time>', 'the first instant, in ISO 8601; left out: 7 days before --to')
      .option('--to <time>', 'the first instant that is not included anymore; left out: now')
      .addOption(new Option('--format <format>', 'of the file').choices(EXPORT_FORMATS).default('csv'))
      .option('--out <file>', 'a new file, or one to replace; left out: standard output')
      .description(`write the ${kind} of a span of time into a file (REST API)`)
      .action((options: ExportHistoryOptions) => exportHistory(api(), kind, options, output()));
  program
    .command('apply')
    .argument('<paths...>', 'files, or folders of .json files')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--publish', 'publish what was created or changed')
    .option(
      '--connection <from=to>',
      'use another connection than the one that files name; repeatable',
      (value: string, all: string[] = []) => [...all, value],
    )
    .option('--exit-code', `exit with ${CHANGES} if anything changes`)
    .description('create and update workflows from files (REST API)')
    .action(async (paths: string[], options: ApplyOptions) => {
      const hasChanged = await applyFiles(api(), paths, options, output());
      if (hasChanged && options.exitCode) process.exitCode = CHANGES;
    });
}

function addEvents(program: Command, output: () => Output): void {
  const events = program.command('events').description('list, follow and replay events (REST API)');
  addList(events, 'list', 'list events, newest first', (options) => listEvents(api(), options, output()));
  addList(events, 'tail', 'print new events as they come', (options) => tailEvents(api(), options, output()));
  events
    .command('replay')
    .argument('<id>')
    .option('--repeat', 'also if it already ran: its requests and messages are sent again')
    .description('run the published version for an event')
    .action((id: string, { repeat = false }: { repeat?: boolean }) =>
      replayEvent(api(), id, repeat, output()),
    );
}

function addRuns(program: Command, output: () => Output): void {
  const runs = program.command('runs').description('list, follow and retry runs (REST API)');
  addList(runs, 'list', 'list runs, newest first', (options) => listRuns(api(), options, output()));
  addList(runs, 'tail', 'print new runs, and again when their status changes', (options) =>
    tailRuns(api(), options, output()),
  );
  runs
    .command('retry')
    .argument('<id>')
    .option('--from-start', 'start a new run of the published version for the same event')
    .description('resume a failed or cancelled run where it failed')
    .action((id: string, { fromStart = false }: { fromStart?: boolean }) =>
      retryRun(api(), id, fromStart, output()),
    );
}

function addSignIn(program: Command, output: () => Output): void {
  const signIn = program.command('sign-in').description('read and change how people sign in (REST API)');
  signIn
    .command('show')
    .description('print how people sign in; with --json what apply reads')
    .action(() => showRules(api(), output()));
  signIn
    .command('check')
    .description('check that the identity provider answers as the settings say; exit with 1 if it does not')
    .action(async () => {
      if (!(await checkProvider(api(), output()))) process.exitCode = 1;
    });
  signIn
    .command('apply')
    .argument('<file>', 'JSON, as show prints it; what it leaves out stays')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--yes', 'also when members lose access')
    .description('change how people sign in')
    .action((file: string, options: ApplyRulesOptions) => applyRules(api(), file, options, output()));
}

function addList(
  group: Command,
  name: string,
  description: string,
  run: (options: ListOptions) => Promise<void>,
): void {
  group
    .command(name)
    .option('--workflow <workflow>', 'only of this workflow: its name or id')
    .option('--limit <count>', name === 'tail' ? 'end after this many' : 'how many', toCount)
    .description(description)
    .action(run);
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Enter a number from 1.');
  return Number(text);
}
