// Imported first by web and worker processes: output without our logger becomes JSON, too: that of libraries, Node's warnings,
// and the reason of a crash.
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
  // For invalid settings the message is sufficient.
  writeSync(
    STDERR,
    toLogLine('fatal', message, error instanceof SettingsError ? {} : { err: { message, stack } }),
  );
  process.exit(1);
});
