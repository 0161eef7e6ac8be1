import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import type { PageFigures } from './budgets.ts';

/** The last paint and the last shift may be late: a page is observed until it has not changed for this time. */
const STILL_MS = 700;

interface Vitals {
  lcpMs: number;
  cls: number;
  changedAt: number;
}

declare global {
  interface Window {
    benchVitals: Vitals;
  }
}

/** Runs in the page before its own scripts: layout shifts by session windows, as web-vitals counts them. */
function watchVitals(): void {
  const vitals: Vitals = { lcpMs: 0, cls: 0, changedAt: performance.now() };
  window.benchVitals = vitals;
  let [windowSum, windowStart, lastShift] = [0, 0, 0];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) vitals.lcpMs = entry.startTime;
    vitals.changedAt = performance.now();
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (entry.hadRecentInput) continue;
      const isNew = entry.startTime - lastShift > 1000 || entry.startTime - windowStart > 5000;
      if (isNew) [windowSum, windowStart] = [0, entry.startTime];
      windowSum += entry.value;
      lastShift = entry.startTime;
      vitals.cls = Math.max(vitals.cls, windowSum);
      vitals.changedAt = performance.now();
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Loads a page several times, each in a browser with an empty cache. @returns the median of each figure */
export async function measurePage(
  browser: Browser,
  url: string,
  options: { cookies: Parameters<BrowserContext['addCookies']>[0]; loads: number; ready: string },
): Promise<PageFigures> {
  const all: PageFigures[] = [];
  for (let load = 0; load < options.loads; load += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addCookies(options.cookies);
    try {
      all.push(await loadOnce(await context.newPage(), url, options.ready));
    } finally {
      await context.close();
    }
  }
  const [first] = all;
  if (!first) throw new Error('Load the page at least once.');
  return { ...first, lcpMs: median(all.map(({ lcpMs }) => lcpMs)), cls: median(all.map(({ cls }) => cls)) };
}

async function loadOnce(page: Page, url: string, ready: string): Promise<PageFigures> {
  await page.addInitScript(watchVitals);
  const session = await page.context().newCDPSession(page);
  const scripts = await countScripts(session);
  await page.goto(url, { waitUntil: 'load' });
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction((ms) => performance.now() - window.benchVitals.changedAt > ms, STILL_MS);
  const { lcpMs, cls } = await page.evaluate(() => window.benchVitals);
  return { lcpMs, cls, ...(await scripts()) };
}

/** Bytes on the wire, headers included, as the browser's own network panel counts them. */
async function countScripts(session: CDPSession): Promise<() => Promise<Omit<PageFigures, 'lcpMs' | 'cls'>>> {
  const byRequest = new Map<string, { url: string; bytes: number; encoding: string }>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Script') return;
    const headers = Object.entries(response.headers).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    const encoding = new Map(headers).get('content-encoding') ?? 'none';
    byRequest.set(requestId, {
      url: response.url,
      bytes: 0,
      encoding,
    });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const script = byRequest.get(requestId);
    if (script) script.bytes = encodedDataLength;
  });
  await session.send('Network.enable');
  return async () => {
    const scripts = [...byRequest.values()].sort((a, b) => b.bytes - a.bytes);
    return {
      scriptBytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
      gzipBytes: await weighGzipped(scripts.map(({ url }) => url)),
      scripts: scripts.map(({ url, bytes }) => ({
        name: new URL(url).pathname.split('/').at(-1) ?? '',
        bytes,
      })),
      encoding: [...new Set(scripts.map(({ encoding }) => encoding))].join('+'),
    };
  };
}

/** The size for browsers without brotli: all of them over http:// to another machine. Bodies only. */
async function weighGzipped(urls: readonly string[]): Promise<number> {
  const sizes = urls.map(async (url) => {
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    return Number(headers.get('content-length'));
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
