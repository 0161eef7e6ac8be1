// `node bench/pages.ts`: the cost of the main screens in a browser with an empty cache, against the budgets in
// pages/budgets.ts. BENCH_LOADS (5) and BENCH_ONLY (part of a screen's name) make it shorter during development; partial
// results go to results/local-pages.json, which is ignored by git.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import {
  CANVAS_BUDGET,
  HEADING,
  listMisses,
  MAX_PANEL_MS,
  MIN_FRAMES_PER_SECOND,
  PAGE_BUDGET,
  toKilobytes,
  toRow,
} from './pages/budgets.ts';
import { measureDrag } from './pages/measure-drag.ts';
import { measurePanel } from './pages/measure-panel.ts';
import { measurePage } from './pages/measure-page.ts';
import { ACCOUNT } from './pages/seed.ts';
import { startFilledProduct } from './pages/start-filled-product.ts';
import { describeMachine } from './machine.ts';

const LOADS = Number(process.env.BENCH_LOADS ?? 5);
/** For example `canvas`: only screens whose name holds it. */
const ONLY = process.env.BENCH_ONLY ?? '';
const LARGEST_SCRIPTS = 6;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const product = await startFilledProduct(say, { workflows: 50 });
const executablePath =
  process.env.PLAYWRIGHT_CHROMIUM_PATH ?? (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined);
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});

try {
  const results = await measureAll(browser);
  const name = ONLY === '' ? 'pages.json' : 'local-pages.json';
  const file = join(root, 'bench/results', name);
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const machine = describeMachine();
  const written = { at: new Date().toISOString(), machine, loads: LOADS, ...results };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
  say(`written to bench/results/${name}`);
} finally {
  await browser.close();
  await product.stop();
}

async function measureAll(browser: Browser) {
  const { base, smallId, largeId } = product;
  const cookies = await signIn(browser);
  const task = '[data-task-id]';
  const screens = [
    { name: 'sign-in', path: '/sign-in', ready: 'form', isOpen: true },
    { name: 'workflows (50)', path: '/workflows', ready: 'h1' },
    { name: 'canvas, 5 tasks', path: `/workflows/${smallId}`, ready: task, budget: CANVAS_BUDGET },
    { name: 'canvas, 300 tasks', path: `/workflows/${largeId}`, ready: task, budget: CANVAS_BUDGET },
    { name: 'runs', path: '/runs', ready: 'h1' },
    { name: 'events', path: '/events', ready: 'h1' },
    { name: 'connections', path: '/connections', ready: 'h1' },
    { name: 'message templates', path: '/message-templates', ready: 'h1' },
    { name: 'settings', path: '/settings/workspace', ready: 'h1' },
  ].filter(({ name }) => name.includes(ONLY));
  say(HEADING);
  const pages: Record<string, unknown> = {};
  const over: string[] = [];
  for (const { name, path, ready, isOpen = false, budget = PAGE_BUDGET } of screens) {
    // A warm-up: the first request makes the server load the screen's code.
    const options = { ready, cookies: isOpen ? [] : cookies };
    await measurePage(browser, base + path, { ...options, loads: 1 });
    const figures = await measurePage(browser, base + path, { ...options, loads: LOADS });
    const misses = listMisses(figures, budget);
    say(toRow(name, figures, misses));
    pages[name] = { ...figures, misses };
    if (figures.scriptBytes > budget.scriptBytes)
      over.push(`${name}: ${figures.scripts.slice(0, LARGEST_SCRIPTS).map(describeScript).join(', ')}`);
  }
  if (over.length > 0) say(`The largest scripts where there is too much:\n  ${over.join('\n  ')}`);
  if (!'canvas, 300 tasks'.includes(ONLY)) return { pages };
  const large = `${base}/workflows/${largeId}`;
  const panel = await panels(browser, cookies, large);
  const drag = await drags(browser, cookies, large);
  return { pages, panel, drag };
}

function describeScript({ name, bytes }: { name: string; bytes: number }): string {
  return `${name} ${toKilobytes(bytes)}`;
}

type Cookies = Awaited<ReturnType<typeof signIn>>;

async function signIn(browser: Browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${product.base}/sign-in`);
  await page.getByLabel('Email').fill(ACCOUNT.email);
  await page.getByLabel('Password').fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/workflows');
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Opens tasks of the 300 one after another. */
async function panels(browser: Browser, cookies: Cookies, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('[data-parts="fetched"]').waitFor();
  const figures = await measurePanel(page);
  const isFast = figures.medianMs <= MAX_PANEL_MS;
  say(
    `panel in 300 tasks: median ${figures.medianMs.toFixed(0)} ms, slowest ${figures.slowestMs.toFixed(0)} ms of ${figures.panels}, processor time ${figures.processorMs.toFixed(0)} ms each` +
      (isFast ? '' : `: more than ${MAX_PANEL_MS}`),
  );
  await context.close();
  return figures;
}

/** With the whole workflow in view, and at a usual working size. */
async function drags(browser: Browser, cookies: Cookies, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('[data-task-id]').first().waitFor();
  await page.waitForLoadState('networkidle');
  const results: Record<string, unknown> = {};
  for (const view of ['as it opens', 'everything in view', 'zoomed in'] as const) {
    if (view === 'everything in view') await page.getByRole('button', { name: /fit view/i }).click();
    if (view === 'zoomed in')
      for (let click = 0; click < 6; click += 1) await page.getByRole('button', { name: /zoom in/i }).click();
    const figures = await measureDrag(page);
    const isFast = figures.framesPerSecond >= MIN_FRAMES_PER_SECOND;
    say(
      `drag in 300 tasks, ${view}: ${figures.framesPerSecond.toFixed(1)} frames/s, median ${figures.medianFrameMs.toFixed(1)} ms, ` +
        `p95 ${figures.p95FrameMs.toFixed(1)} ms, moved ${figures.movedPx.toFixed(0)} px${isFast ? '' : `: fewer than ${MIN_FRAMES_PER_SECOND}`}`,
    );
    results[view] = figures;
  }
  await context.close();
  return results;
}
