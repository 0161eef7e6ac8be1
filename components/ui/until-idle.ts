/** Waits until the browser is idle. Safari does not support that: there it waits for the next task. */
export const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve);
  });
