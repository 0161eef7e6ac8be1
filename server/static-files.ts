import { createReadStream, globSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

interface StaticFile {
  path: string;
  size: number;
}

/** What browsers may ask for, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * Serves the scripts and styles of a build as `compressStatic` left them. The names are listed once and hold a hash of
 * the content: nothing else can be reached by a path, and browsers keep them for good. False: it is not one of them.
 */
export function serveStatic(
  folder: string,
  prefix: string,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = new Map<string, StaticFile>();
  for (const path of globSync('**/*.{js,css,br,gz}', { cwd: folder }))
    files.set(prefix + path, { path: join(folder, path), size: statSync(join(folder, path)).size });
  return (req, res) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (!type || !files.has(path) || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const { encoding, file } = choose(files, path, String(req.headers['accept-encoding'] ?? ''));
    res.writeHead(200, {
      'Content-Type': type,
      'Content-Length': file.size,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      Vary: 'Accept-Encoding',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    });
    if (req.method === 'HEAD') res.end();
    // A caller who goes away in the middle is nobody's error.
    else pipeline(createReadStream(file.path), res, () => undefined);
    return true;
  };
}

function choose(files: ReadonlyMap<string, StaticFile>, path: string, accepted: string) {
  for (const [encoding, ending] of ENCODINGS) {
    const file = files.get(path + ending);
    if (file && (encoding === null || accepts(accepted, encoding))) return { encoding, file };
  }
  throw new Error(`${path} is not listed`);
}

/** RFC 9110, 12.5.3: `q=0` means "not this one". */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
