// The first module of every bundle (injected by bundle.ts): makes stack traces refer to lines of the sources. Node's own
// --enable-source-maps keeps whole maps in memory, 50 MB in a worker; this only caches requested positions.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { findSource, type SourceMap } from './find-source.ts';

interface Site extends NodeJS.CallSite {
  toString(): string;
}

const places = new LRUCache<string, string>({ max: 1000 });
const mapFile = `${fileURLToPath(import.meta.url)}.map`;

/** A process may load a second bundle (server/traces.ts): each resolves its own lines. */
const KEY = Symbol.for('patchbay.source-lines');
const shared = globalThis as { [KEY]?: Map<string, (site: Site) => string> };
const bundles = (shared[KEY] ??= new Map<string, (site: Site) => string>());
bundles.set(import.meta.url, nameSource);

Error.prepareStackTrace = (error, sites) => {
  const lines = (sites as Site[]).map((site) => {
    const name = bundles.get(site.getFileName() ?? '');
    return `\n    at ${name ? name(site) : site.toString()}`;
  });
  return `${Error.prototype.toString.call(error)}${lines.join('')}`;
};

function nameSource(site: Site): string {
  const text = site.toString();
  const bundled = `${import.meta.url}:${site.getLineNumber()}:${site.getColumnNumber()}`;
  let place = places.get(bundled);
  if (place === undefined) {
    place = findPlace(site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0) ?? bundled;
    places.set(bundled, place);
  }
  return text.replace(bundled, () => place);
}

function findPlace(line: number, column: number): string | null {
  try {
    const map = JSON.parse(readFileSync(mapFile, 'utf8')) as SourceMap;
    const found = findSource(map, line, column);
    return found && `${resolve(dirname(mapFile), found.file)}:${found.line}:${found.column}`;
  } catch {
    // Without its map a trace has the bundle's lines.
    return null;
  }
}
