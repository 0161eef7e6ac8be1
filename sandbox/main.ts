// `node sandbox/main.ts`: the sandbox as a program. Its launcher waits for the one line on standard output.
import { readOptions } from './options.ts';
import { startSandbox } from './server.ts';

/** Longer than the launcher's other processes take to stop, because they may still call the sandbox. */
const LINGER_MS = 12_000;

try {
  const sandbox = await startSandbox(readOptions(process.env));
  console.log(`Sandbox listening on ${sandbox.url}`);

  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Only there when started with an IPC channel: the sandbox ends with a killed launcher.
  process.once('disconnect', () => setTimeout(stop, LINGER_MS));
  if (process.channel) process.send?.({ url: sandbox.url });
} catch (error) {
  console.error(`The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
