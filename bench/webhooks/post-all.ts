// A generator of requests that are each their own, such as signed notifications.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface Prepared {
  body: string;
  headers: Readonly<Record<string, string>>;
}

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
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startMs = performance.now();
  let at = 0;
  let errors = 0;
  const postNext = async (): Promise<void> => {
    for (let next = requests[at]; next && performance.now() - startMs < LONGEST_MS; next = requests[at]) {
      at += 1;
      if ((await post(url, agent, next)) !== 200) errors += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, postNext));
  } finally {
    agent.destroy();
  }
  return { requests: at, seconds: (performance.now() - startMs) / 1000, errors };
}

/** @returns the status of the answer */
export const post = (url: string, agent: Agent, { body, headers }: Prepared): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    };
    request(url, { method: 'POST', agent, headers: all }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end(body);
  });
