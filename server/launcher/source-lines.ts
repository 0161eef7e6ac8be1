// The first module of every bundle (injected by bundle.ts): makes stack traces refer to lines of the sources. Node's own
// --enable-source-maps keeps whole maps in memory, 50 MB in a worker; this only caches requested positions.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { findSources, type SourceMap } from './find-source.ts';

interface Site extends NodeJS.CallSite {
  toString(): string;
}

const places = new LRUCache<string, string>({ max: 1000 });
const mapFile = `${fileURLToPath(import.meta.url)}.map`;

/** A process may load a second bundle (server/traces.ts): each resolves its own lines. */
const KEY = Symbol.for('patchbay.source-lines');
type NameSources = (sites: readonly Site[]) => string[];
const shared = globalThis as { [KEY]?: Map<string, NameSources> };
const bundles = (shared[KEY] ??= new Map<string, NameSources>());
bundles.set(import.meta.url, nameSources);

Error.prepareStackTrace = (error, given) => {
  const sites = given as Site[];
  const names = new Map(sites.map((site) => [site, site.toString()]));
  for (const [file, nameAll] of bundles) {
    const own = sites.filter((site) => site.getFileName() === file);
    for (const [place, name] of nameAll(own).entries()) names.set(own[place] as Site, name);
  }
  return [Error.prototype.toString.call(error), ...names.values()].join('\n    at ');
};

/** The map is read once for all of them. */
function nameSources(sites: readonly Site[]): string[] {
  const unknown = sites.filter((site) => !places.has(toBundled(site)));
  for (const [place, found] of findPlaces(unknown).entries()) {
    const bundled = toBundled(unknown[place] as Site);
    places.set(bundled, found ?? bundled);
  }
  return sites.map((site) => {
    const bundled = toBundled(site);
    return site.toString().replace(bundled, () => places.get(bundled) ?? bundled);
  });
}

const toBundled = (site: Site): string =>
  `${import.meta.url}:${site.getLineNumber()}:${site.getColumnNumber()}`;

function findPlaces(sites: readonly Site[]): (string | null)[] {
  if (sites.length === 0) return [];
  try {
    const map = JSON.parse(readFileSync(mapFile, 'utf8')) as SourceMap;
    const wanted = sites.map((site) => ({
      line: site.getLineNumber() ?? 0,
      column: site.getColumnNumber() ?? 0,
    }));
    return findSources(map, wanted).map(
      (found) => found && `${resolve(dirname(mapFile), found.file)}:${found.line}:${found.column}`,
    );
  } catch {
    // Without its map a trace has the bundle's lines.
    return sites.map(() => null);
  }
}
