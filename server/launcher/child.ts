// What web, worker and sandbox processes share: they tell their launcher when they are ready and end with it.

/** Tells the launcher, if there is one, that this process serves. */
export function tellReady(): void {
  if (process.connected) process.send?.({ type: 'ready' });
}

/** Runs `stop` once, when the process is asked to end or its launcher is gone, and then exits. */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    void stop()
      .catch((error: unknown) => console.error(error))
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
}
