// Lazily loaded code. Code that an open page may still need is loaded in advance while the browser is idle, so that it also
// opens when the server is unreachable.

/** Code could not be loaded: the server is unreachable, or was updated and has different files. */
export class MissingCodeError extends Error {
  override name = 'MissingCodeError';

  constructor(cause: unknown) {
    super('A part of Patchbay could not be loaded. Check your connection and try again.', { cause });
  }
}

const all = new Set<() => Promise<unknown>>();

/**
 * Creates a function that loads code once, and again after a failure: `later(() => import('./x.ts'))`.
 * @returns a function that rejects with `MissingCodeError`
 */
export function later<Code>(load: () => Promise<Code>): () => Promise<Code> {
  let fetched: Promise<Code> | undefined;
  const fetchCode = () =>
    (fetched ??= load().catch((cause: unknown) => {
      fetched = undefined;
      throw new MissingCodeError(cause);
    }));
  all.add(fetchCode);
  return fetchCode;
}

/**
 * Loads all code that the page may use later, one part at a time.
 * @param rest waits until the browser is idle
 * @throws MissingCodeError
 */
export async function fetchAllCode(rest: () => Promise<void>): Promise<void> {
  // Loading a part can add further parts to the set; the loop includes them.
  for (const fetchCode of all) {
    await rest();
    await fetchCode();
  }
}

/** Waits until the browser is idle. Safari does not support that: there it waits for the next task. */
export const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve);
  });
