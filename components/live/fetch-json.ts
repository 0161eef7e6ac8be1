/** There is no session (any more): the user has to sign in. */
export class SignedOutError extends Error {
  constructor() {
    super('You are signed out. Sign in again.');
  }
}

/** Loads a screen's data from an internal route. @throws SignedOutError; Error with a message for users */
export async function fetchJson<Data>(url: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Error('The server cannot be reached. Retrying.', { cause: error });
  });
  if (response.status === 401) throw new SignedOutError();
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as Data;
  const message = (body as { error?: { message?: string } } | undefined)?.error?.message;
  throw new Error(message ?? `The server answered ${response.status}: try again.`);
}
