import { join } from 'node:path';
import {
  appEnvironment,
  sandboxEnvironment,
  type Environment,
  type EnvironmentInput,
} from './environments.ts';
import { type LaunchSettings, nodeArguments, type Part } from './settings.ts';
import { supervise, type SupervisedProcess } from './supervise.ts';

/** Maximum time for requests and tasks in progress to finish. */
const GRACE_MS = 10_000;

export interface ProcessGroup {
  /** Settles when every process is ready; rejects with LaunchError when one does not start. */
  ready: Promise<void>;
  /** Restarts all processes of these parts with their current settings. Settles when the current ones have ended. */
  restart(...parts: Part[]): Promise<void>;
  /** Stops web and worker, then the sandbox, which they may still be calling. */
  stop(): Promise<void>;
}

/**
 * Starts the sandbox (where there is one), web and workers.
 * @param input read at every start of a process.
 * @param changed called with all living processes whenever one was started.
 */
export function startProcessGroup(
  settings: LaunchSettings,
  input: () => EnvironmentInput,
  say: (line: string) => void,
  changed: (children: { pid: number; program: string }[]) => void,
): ProcessGroup {
  const all: { part: Part; program: string; process: SupervisedProcess }[] = [];
  const report = () =>
    changed(all.flatMap(({ program, process: { pid } }) => (pid === null ? [] : [{ pid, program }])));
  const start = (name: string, part: Part, place = 0): SupervisedProcess => {
    const command = nodeArguments(settings, part);
    const program = command.at(-1) ?? '';
    const environment = () =>
      part === 'sandbox'
        ? sandboxEnvironment(input(), join(settings.dataFolder, 'sandbox'))
        : withMetricsPort(appEnvironment(input()), place);
    const process = supervise(
      // Only Patchbay's URL is shown here; the sandbox prints its own.
      { name, nodeArguments: command, environment, quiet: part === 'sandbox' },
      say,
      report,
    );
    all.push({ part, program, process });
    report();
    return process;
  };

  const sandbox = settings.sandbox ? start('sandbox', 'sandbox') : null;
  const apps = [
    ...namesOf('web', settings.webProcesses).map((name, place) => start(name, 'web', place)),
    ...namesOf('worker', settings.workerProcesses).map((name, place) =>
      start(name, 'worker', settings.webProcesses + place),
    ),
  ];
  return {
    ready: Promise.all(all.map(({ process }) => process.ready)).then(() => undefined),
    async restart(...parts) {
      const chosen = all.filter(({ part }) => parts.includes(part));
      await Promise.all(chosen.map(({ process }) => process.restart(GRACE_MS)));
    },
    async stop() {
      await Promise.all(apps.map((app) => app.stop(GRACE_MS)));
      await sandbox?.stop(GRACE_MS);
    },
  };
}

/** Each process has its own metrics: web processes from METRICS_PORT on, then the workers. */
const withMetricsPort = (environment: Environment, place: number): Environment =>
  environment['METRICS_PORT']
    ? { ...environment, METRICS_PORT: String(Number(environment['METRICS_PORT']) + place) }
    : environment;

function namesOf(part: string, count: number): string[] {
  return count === 1 ? [part] : Array.from({ length: count }, (_, index) => `${part} ${index + 1}`);
}
