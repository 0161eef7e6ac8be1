// `npm run bench:memory`: the size of every page, and the growth of the web process's memory between 100 and 1,000 views of it,
// each followed by an idle time. Each page is measured in a separate web process, two in parallel (Linux only), for 15 minutes
// at most. BENCH_VIEWS (1000), BENCH_WORKFLOWS (700) and BENCH_ONLY (part of a path) make it shorter, BENCH_MINUTES (13)
// longer; then the results go to results/local-memory.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signIn } from '../server/testing/authorization-client.ts';
import { describeMachine } from './machine.ts';
import { listPaths } from './memory/list-paths.ts';
import { ACCOUNT } from './pages/seed.ts';
import { startFilledProduct } from './pages/start-filled-product.ts';

const VIEWS = Number(process.env.BENCH_VIEWS ?? 1000);
const EARLY_VIEWS = Math.min(100, VIEWS / 10);
const WORKFLOWS = Number(process.env.BENCH_WORKFLOWS ?? 700);
const ONLY = process.env.BENCH_ONLY ?? '';
/** V8 releases the memory of a load after an idle time. */
const REST_MS = 30_000;
/** Maximum time for viewing pages: with seeding and the last idle time, less than 15 minutes in all. */
const VIEWING_MS = Number(process.env.BENCH_MINUTES ?? 13) * 60_000;
/** Each has a web process, and further ones are idle: PostgreSQL allows 100 connections. */
const LANES = Math.min(availableParallelism(), 2);
const MAX_PAGE_KILOBYTES = 300;
const MAX_GROWTH_MEGABYTES = 150;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Figures {
  kilobytes: number;
  /** Resident memory of the web process. */
  megabytesEarly: number;
  megabytesAtEnd: number;
  megabytesLate: number;
  views: number;
  millisecondsPerView: number;
}

const product = await startFilledProduct(say, { workflows: WORKFLOWS });
try {
  const cookie = (await signIn(product.base, ACCOUNT.email, ACCOUNT.password)).toString();
  const idIn = async (list: string) =>
    ((await (await view(list, cookie)).json()) as { data: { id: string }[] }).data[0]?.id ?? '';
  const connections = await (await view('/connections', cookie)).text();
  const paths = listPaths(root, {
    '/workflows/[id]': [product.smallId, product.largeId],
    '/runs/[id]': [await idIn('/runs/list')],
    '/events/[id]': [await idIn('/events/list')],
    '/connections/[id]': [/\/connections\/([0-9a-f-]{36})/.exec(connections)?.[1] ?? ''],
    '/settings/alerts/[workflowId]': [product.smallId],
    '/invitations/[token]': ['unknown'],
    '/reset-password/[token]': ['unknown'],
  }).filter(({ path }) => path.includes(ONLY));
  say(
    `${'page'.padEnd(60)} ${'KB'.padStart(6)} ${`MB at ${EARLY_VIEWS}`.padStart(10)} ${`at ${VIEWS}`.padStart(8)} ${'rested'.padStart(7)} ${'ms'.padStart(6)}`,
  );
  const pages: Record<string, Figures> = {};
  const deadline = performance.now() + VIEWING_MS;
  const waiting = [...paths];
  const resting: Promise<void>[] = [];
  const lane = async () => {
    while (performance.now() < deadline) {
      const next = waiting.shift();
      if (!next) return;
      const { path, isOpen } = next;
      const rest = await viewOften(path, isOpen ? '' : cookie, deadline);
      resting.push(
        rest().then((figures) => {
          pages[path] = figures;
          say(toRow(path, figures));
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await Promise.all(resting);
  for (const { path } of waiting) say(`${path}: the time was over before it could be viewed`);
  const isWhole = VIEWS >= 1000 && WORKFLOWS >= 700 && ONLY === '' && waiting.length === 0;
  const file = isWhole ? 'memory.json' : 'local-memory.json';
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const written = { at: new Date().toISOString(), machine: describeMachine(), workflows: WORKFLOWS, pages };
  writeFileSync(join(root, 'bench/results', file), `${JSON.stringify(written, null, 2)}\n`);
  say(`written to bench/results/${file}`);
  if (waiting.length > 0 || Object.values(pages).some((figures) => listMisses(figures).length > 0))
    process.exitCode = 1;
} finally {
  await product.stop();
}

/** @returns waits for the web process's idle time */
async function viewOften(path: string, cookie: string, deadline: number): Promise<() => Promise<Figures>> {
  const web = await product.startWeb();
  const startedAt = performance.now();
  const figures = { kilobytes: 0, megabytesEarly: 0, views: 0 };
  while (figures.views < VIEWS && performance.now() < deadline) {
    const body = await (await view(path, cookie, web.base)).arrayBuffer();
    figures.views += 1;
    figures.kilobytes = Math.max(figures.kilobytes, Math.round(body.byteLength / 1024));
    if (figures.views === EARLY_VIEWS) figures.megabytesEarly = residentMegabytes(web.pid);
  }
  const millisecondsPerView = Math.round((performance.now() - startedAt) / Math.max(1, figures.views));
  const megabytesAtEnd = residentMegabytes(web.pid);
  return async () => {
    await wait(REST_MS);
    const megabytesLate = residentMegabytes(web.pid);
    await web.stop();
    return { ...figures, megabytesAtEnd, megabytesLate, millisecondsPerView };
  };
}

/** @throws Error for a page that fails */
async function view(path: string, cookie: string, base = product.base): Promise<Response> {
  const response = await fetch(base + path, { redirect: 'manual', headers: cookie ? { cookie } : {} });
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

function listMisses({ kilobytes, megabytesEarly, megabytesLate, views }: Figures): string[] {
  const growth = megabytesLate - megabytesEarly;
  return [
    ...(kilobytes > MAX_PAGE_KILOBYTES ? [`larger than ${MAX_PAGE_KILOBYTES} KB`] : []),
    ...(growth >= MAX_GROWTH_MEGABYTES ? [`${growth} MB more, ${MAX_GROWTH_MEGABYTES} are allowed`] : []),
    ...(views < VIEWS ? [`only ${views} views: the time was over`] : []),
  ];
}

function toRow(path: string, figures: Figures): string {
  const { kilobytes, megabytesEarly, megabytesAtEnd, megabytesLate, millisecondsPerView } = figures;
  const misses = listMisses(figures);
  return [
    path.padEnd(60),
    String(kilobytes).padStart(6),
    String(megabytesEarly).padStart(10),
    String(megabytesAtEnd).padStart(8),
    String(megabytesLate).padStart(7),
    String(millisecondsPerView).padStart(6),
    misses.length > 0 ? ` ${misses.join('; ')}` : '',
  ].join(' ');
}
