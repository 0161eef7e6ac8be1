// `node sandbox/main.ts`: the stand-in platform as a program. Its launcher waits for the one line on standard output.
import { readOptions } from './options.ts';
import { startSandbox } from './server.ts';

/** Longer than the launcher's other processes take to finish what they do, in which they may still call. */
const LINGER_MS = 12_000;

try {
  const sandbox = await startSandbox(readOptions(process.env));
  console.log(`Sandbox listening on ${sandbox.url}`);

  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Only there when started with an IPC channel: a launcher that dies takes the sandbox along.
  process.once('disconnect', () => setTimeout(stop, LINGER_MS));
  if (process.channel) process.send?.({ url: sandbox.url });
} catch (error) {
  console.error(`The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
