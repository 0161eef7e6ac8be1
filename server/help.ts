// The help at /help: pages that VitePress made of the documents (docs/site), as files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FOR_GOOD, listStatic, sendStatic, type StaticFiles, typeOf } from './static-files.ts';

const PREFIX = '/help/';
const ENDINGS = 'html,js,css,json,svg,png,webp';

/** The style element that VitePress adds while it switches between light and dark, so that colors do not fade. */
const SWITCH_STYLE = 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y=';

/** Pages have no inline script and, beside that one, no inline style but attributes, which color code. */
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

/**
 * Answers requests for /help. The folder is listed with the first of them: a process that is never asked does nothing.
 * False: the request is for something else.
 */
export function serveHelp(folder: string): (req: IncomingMessage, res: ServerResponse) => boolean {
  let listed: StaticFiles | undefined;
  return (req, res) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path !== '/help' && !path.startsWith(PREFIX)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD')
      res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain' }).end('Method not allowed.\n');
    else if (path === '/help') res.writeHead(308, { Location: PREFIX }).end();
    else answer((listed ??= listStatic(folder, PREFIX, ENDINGS)), path, req, res);
    return true;
  };
}

function answer(files: StaticFiles, path: string, req: IncomingMessage, res: ServerResponse): void {
  const found = [path, `${path}.html`, `${path}index.html`].find((file) => typeOf(file) && files.has(file));
  if (found) {
    const isHashed = found.startsWith(`${PREFIX}assets/`);
    const headers = isHashed ? { 'Cache-Control': FOR_GOOD } : PAGE_HEADERS;
    return sendStatic({ files, path: found, status: 200, headers }, req, res);
  }
  const missing = `${PREFIX}404.html`;
  if (files.has(missing))
    return sendStatic({ files, path: missing, status: 404, headers: PAGE_HEADERS }, req, res);
  res
    .writeHead(404, { 'Content-Type': 'text/plain' })
    .end('The help has not been built: `npm start` and `npm test -- build` build it.\n');
}
