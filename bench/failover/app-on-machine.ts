import { openSync } from 'node:fs';
import { join } from 'node:path';
import { programFile } from '../../server/launcher/settings.ts';
import { AppProcess } from '../app-process.ts';
import type { Network } from './network.ts';

const root = new URL('../..', import.meta.url).pathname;

/** A web or worker process on its machine, by whose name it is known. @param folder for its log */
export function appOnMachine(
  network: Network,
  folder: string,
  machine: string,
  settings: Record<string, string>,
): AppProcess {
  const log = openSync(join(folder, 'logs', `${machine}.log`), 'a');
  const { PATH = '', HOME = '' } = process.env;
  const program = programFile(root, machine.startsWith('web') ? 'web' : 'worker');
  return new AppProcess(machine, () =>
    network.start(machine, [process.execPath, program], {
      user: null,
      env: { PATH, HOME, ...settings },
      stdio: ['ignore', log, log, 'ipc'],
    }),
  );
}
