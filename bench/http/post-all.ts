// A generator of requests that are each their own, such as signed notifications.
import { performance } from 'node:perf_hooks';
import { openClient, type Prepared } from './client.ts';

export interface Posted {
  requests: number;
  seconds: number;
  /** Answers that were not 200. */
  errors: number;
}

/** It ends then, however many requests are left. */
const LONGEST_MS = 60_000;

/** Posts each request once, over a number of connections. */
export async function postAll(
  url: string,
  requests: readonly Prepared[],
  connections: number,
): Promise<Posted> {
  const client = openClient(url, connections);
  const startMs = performance.now();
  let at = 0;
  let errors = 0;
  const postNext = async (): Promise<void> => {
    for (let next = requests[at]; next && performance.now() - startMs < LONGEST_MS; next = requests[at]) {
      at += 1;
      if ((await client.post(next)) !== 200) errors += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, postNext));
  } finally {
    client.close();
  }
  return { requests: at, seconds: (performance.now() - startMs) / 1000, errors };
}
