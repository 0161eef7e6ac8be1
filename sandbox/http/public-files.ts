import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** Serves a file of `sandbox/public`. Returns false if there is no such file. */
export async function sendPublicFile(response: ServerResponse, name: string): Promise<boolean> {
  const type = TYPES[extname(name)];
  if (!type || !/^[a-z0-9-]+(\/[a-z0-9-]+)?\.[a-z]+$/.test(name)) return false;
  try {
    const bytes = await readFile(new URL(`../public/${name}`, import.meta.url));
    response.writeHead(200, {
      'content-type': type,
      'content-length': bytes.length,
      'cache-control': 'no-cache',
    });
    response.end(bytes);
    return true;
  } catch {
    return false;
  }
}
