// Shared by web, worker and sandbox processes: they report to their launcher when they are ready, and end with it.

/**
 * Reports to the launcher, if there is one, that this process serves: `ready` for all of it, `listening` for the essential
 * part.
 */
export function tellReady(type: 'listening' | 'ready' = 'ready'): void {
  if (process.connected) process.send?.({ type });
}

/** Less than the launcher's timeout (process-group.ts); without a launcher nothing else would end the process. */
const STOP_DEADLINE_MS = 9500;

/** Runs `stop` once, when the process is stopped or its launcher has ended, and then exits, at the latest after the deadline. */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      console.error(`Process ${process.pid} did not finish in time and is ended.`);
      process.exit(1);
    }, STOP_DEADLINE_MS);
    void stop()
      .catch((error: unknown) => console.error(error))
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
  // The launcher ended while this process was starting: no event reports that any more.
  if (process.connected === false) end();
}
