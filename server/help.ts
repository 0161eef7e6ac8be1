// The help at /help: static pages that VitePress built from the documents (docs/site).
import { existsSync, realpathSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FOR_GOOD, listStatic, sendStatic, type StaticFiles, typeOf } from './static-files.ts';

const PREFIX = '/help/';
const ENDINGS = 'html,js,css,json,svg,png,webp';

/** The style element that VitePress adds while it switches between light and dark, so that colors do not fade. */
const SWITCH_STYLE = 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y=';

/** Pages have no inline scripts and, besides that one, no inline styles except attributes for code colors. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${SWITCH_STYLE}'`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/** Shown while the launcher builds the help, for which no start waits. The page reloads automatically, without a script. */
const BEING_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Help · Patchbay</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body><h1>The help is being built</h1><p>It takes about half a minute after the first start or an update. This page reloads automatically.</p>
<p>If it doesn't appear, the log of Patchbay says why.</p></body></html>
`;
const RELOAD_SECONDS = 3;
const NOT_BUILT = 'The help has not been built: `npm start` and `npm test -- build` build it.\n';

export interface HelpFiles {
  /** Or a link to the folder of the last build. */
  folder: string;
  /** Served without a build. */
  development: boolean;
}

interface Build {
  folder: string;
  files: StaticFiles;
}

/**
 * Answers requests for /help. The folder is listed with the first of them, and with the first after another build: a process
 * without such requests does nothing.
 * @returns false: the request is for something else.
 */
export function serveHelp({
  folder: link,
  development,
}: HelpFiles): (req: IncomingMessage, res: ServerResponse) => boolean {
  let listed: Build | null = null;
  const listNow = (): StaticFiles | null => {
    if (!existsSync(link)) return null;
    const folder = realpathSync(link);
    if (listed?.folder !== folder) listed = { folder, files: listStatic(folder, PREFIX, ENDINGS) };
    return listed.files;
  };
  return (req, res) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path !== '/help' && !path.startsWith(PREFIX)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD')
      res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain' }).end('Method not allowed.\n');
    else if (path === '/help') res.writeHead(308, { Location: PREFIX }).end();
    else {
      const files = listNow();
      if (files) answer(files, path, req, res);
      else if (development) res.writeHead(404, { 'Content-Type': 'text/plain' }).end(NOT_BUILT);
      else answerBeingBuilt(req, res);
    }
    return true;
  };
}

function answerBeingBuilt(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(503, {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Retry-After': String(RELOAD_SECONDS),
    Refresh: String(RELOAD_SECONDS),
  });
  res.end(req.method === 'HEAD' ? undefined : BEING_BUILT);
}

function answer(files: StaticFiles, path: string, req: IncomingMessage, res: ServerResponse): void {
  const found = [path, `${path}.html`, `${path}index.html`].find((file) => typeOf(file) && files.has(file));
  if (found) {
    const isHashed = found.startsWith(`${PREFIX}assets/`);
    const headers = isHashed ? { 'Cache-Control': FOR_GOOD } : PAGE_HEADERS;
    return sendStatic({ files, path: found, status: 200, headers }, req, res);
  }
  const missing = `${PREFIX}404.html`;
  if (files.has(missing)) sendStatic({ files, path: missing, status: 404, headers: PAGE_HEADERS }, req, res);
  else res.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such page.\n');
}
