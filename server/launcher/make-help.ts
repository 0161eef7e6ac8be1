// Run by the launcher beside the product (start-help-build.ts): builds the help, and can be stopped early.
import { setPriority } from 'node:os';

import { buildIfNeeded } from './build.ts';
import { toPrinted } from './log-line.mjs';
import { root } from '../root.ts';

const LESS_URGENT_THAN_REQUESTS = 10;

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopped.abort(new Error(signal)));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
setPriority(LESS_URGENT_THAN_REQUESTS);

try {
  await buildIfNeeded(root, (line) => process.stdout.write(toPrinted('info', line)), stopped.signal, [
    'help',
  ]);
} catch (error) {
  if (!stopped.signal.aborted)
    process.stderr.write(
      toPrinted('error', `The help is missing; everything else works.\n${(error as Error).message}`),
    );
  process.exitCode = 1;
}
