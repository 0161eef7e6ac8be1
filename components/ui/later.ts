// Code that is fetched when it is first used. What an open page may still need is fetched in advance, while the browser
// has nothing to do: what opens on a click must open when the server is out of reach, too.

/** Code could not be fetched: the server cannot be reached, or it was updated and has other code now. */
export class MissingCodeError extends Error {
  override name = 'MissingCodeError';

  constructor(cause: unknown) {
    super('A part of Patchbay could not be loaded. Check your connection and try again.', { cause });
  }
}

const all = new Set<() => Promise<unknown>>();

/**
 * Makes a function that fetches code once, and again after it failed: `later(() => import('./x.ts'))`.
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
 * Fetches all code that the page may use later, one part at a time.
 * @param rest waits until the browser has time for the next part
 * @throws MissingCodeError
 */
export async function fetchAllCode(rest: () => Promise<void>): Promise<void> {
  // The set grows as parts arrive that have parts of their own; the loop reaches those, too.
  for (const fetchCode of all) {
    await rest();
    await fetchCode();
  }
}
