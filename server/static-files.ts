import { createReadStream, globSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

interface StaticFile {
  path: string;
  size: number;
}

/** Encodings for browsers, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
};

/** For files with a hash of their content in the name. */
export const FOR_GOOD = 'public, max-age=31536000, immutable';

export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** The files of a folder, by URL path: no other file can be requested. @param endings such as `js,css` */
export function listStatic(folder: string, prefix: string, endings: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const path of globSync(`**/*.{${endings},br,gz}`, { cwd: folder }))
    files.set(prefix + path, { path: join(folder, path), size: statSync(join(folder, path)).size });
  return files;
}

/** The media type of a listed file; undefined for compressed files and others that browsers do not request. */
export const typeOf = (path: string): string | undefined => TYPES[path.slice(path.lastIndexOf('.') + 1)];

/** Answers GET and HEAD with a listed file, compressed as the browser accepts it. */
export function sendStatic(
  { files, path, status, headers }: StaticAnswer,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const { encoding, file } = choose(files, path, String(req.headers['accept-encoding'] ?? ''));
  res.writeHead(status, {
    'Content-Type': typeOf(path),
    'Content-Length': file.size,
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  if (req.method === 'HEAD') res.end();
  // A caller that disconnects is not an error.
  else pipeline(createReadStream(file.path), res, () => undefined);
}

export interface StaticAnswer {
  files: StaticFiles;
  path: string;
  status: number;
  headers: Readonly<Record<string, string>>;
}

/**
 * Serves the scripts and styles of a build as `compressStatic` left them. They are listed once; their names contain a hash of
 * the content, and browsers cache them permanently. @returns false: it is not one of them
 */
export function serveStatic(
  folder: string,
  prefix: string,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = listStatic(folder, prefix, 'js,css');
  return (req, res) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (!typeOf(path) || !files.has(path) || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    sendStatic({ files, path, status: 200, headers: { 'Cache-Control': FOR_GOOD } }, req, res);
    return true;
  };
}

function choose(files: StaticFiles, path: string, accepted: string) {
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
