import { API_KEY } from '../../server/testing/beside-sandbox.ts';
import type { Case } from './cases.ts';

export interface Figures {
  /** Milliseconds of the first call. */
  first: number;
  p50: number;
  p99: number;
  slowest: number;
  calls: number;
}

const WARM_UP = 10;

/** Calls it one after another. @throws Error when an answer is no success */
export async function measure(
  { path, isDownload = false }: Case,
  { base, cookie, calls }: { base: string; cookie: string; calls: number },
): Promise<Figures> {
  const call = async (place: number): Promise<number> => {
    const url = base + path(place);
    const headers: Record<string, string> = url.startsWith(`${base}/api/`)
      ? { authorization: `Bearer ${API_KEY}` }
      : { cookie };
    const startedAt = performance.now();
    const response = await fetch(url, { redirect: 'manual', headers });
    if (response.status !== 200)
      throw new Error(`${url}: ${response.status} ${(await response.text()).slice(0, 500)}`);
    if (isDownload) await readBeginning(response);
    else await response.arrayBuffer();
    return performance.now() - startedAt;
  };
  return figuresOf(call, calls);
}

/** Calls something one after another, each time with the next number. @param call returns its milliseconds */
export async function figuresOf(call: (place: number) => Promise<number>, calls: number): Promise<Figures> {
  const first = await call(0);
  for (let place = 1; place <= WARM_UP; place += 1) await call(place);
  const took: number[] = [];
  for (let place = 0; place < calls; place += 1) took.push(await call(WARM_UP + 1 + place));
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
  return { first, p50: at(0.5), p99: at(0.99), slowest: at(1), calls };
}

/** The heading and the first rows. */
async function readBeginning({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  let bytes = 0;
  while (reader && bytes < 1000) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
  }
  await reader?.cancel();
}
