/** Reads a screen's data from one of our own routes. @throws Error whose message is for people */
export async function fetchJson<Data>(url: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    ...(signal ? { signal } : {}),
  });
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  if (!isJson) throw new Error('You may be signed out: load the page again.');
  const body: unknown = await response.json();
  if (response.ok) return body as Data;
  const message = (body as { error?: { message?: string } }).error?.message;
  throw new Error(message ?? `The server answered ${response.status}: try again.`);
}
