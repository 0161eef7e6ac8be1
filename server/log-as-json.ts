// Imported first by web and worker processes: what no logger of ours writes is JSON, too. That is what libraries print, Node's
// warnings, and why a process dies.
import { writeSync } from 'node:fs';
import { formatWithOptions } from 'node:util';
import { SettingsError } from '#lib/core/settings/checks.ts';
import { toLogLine } from './launcher/log-line.mjs';

const STDERR = 2;

for (const [method, level] of [
  ['log', 'info'],
  ['info', 'info'],
  ['debug', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
] as const)
  console[method] = (...parts: unknown[]) =>
    void process.stderr.write(toLogLine(level, formatWithOptions({ colors: false }, ...parts)));

process.removeAllListeners('warning');
process.on('warning', ({ name, message, stack }) =>
  process.stderr.write(toLogLine('warn', `${name}: ${message}`, { stack })),
);

process.on('uncaughtException', (error: unknown) => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  // What is wrong with settings says it all.
  writeSync(
    STDERR,
    toLogLine('fatal', message, error instanceof SettingsError ? {} : { err: { message, stack } }),
  );
  process.exit(1);
});
