// What `patchbay apply --connection <name in the file>=<name here>` says. Names may have an =, too.
import { ApiError } from './api.ts';

export interface KnownNames {
  /** Of the connections that the files name. */
  inFiles: readonly string[];
  /** Of the connections of the installation. */
  here: readonly string[];
}

/**
 * Names of connections in files → names of connections here.
 * @throws ApiError for a text that is none, or that can be read in several ways
 */
export const readReplacements = (texts: readonly string[], known: KnownNames): Record<string, string> =>
  Object.fromEntries(texts.map((text) => readReplacement(text, known)));

/** Of several = the one counts that has names on both sides, or else the one that has a name of a file before it. */
function readReplacement(text: string, { inFiles, here }: KnownNames): readonly [string, string] {
  const all = splits(text);
  const fromFiles = all.filter(([from]) => inFiles.includes(from));
  const complete = fromFiles.filter(([, to]) => here.includes(to));
  const [found, ...others] = [complete, fromFiles, all].find(({ length }) => length > 0) ?? [];
  const rule = 'Write --connection as <name in the file>=<name here>';
  if (!found || (others.length > 0 && fromFiles.length === 0)) throw new ApiError(`${rule}, not ${text}`);
  if (others.length === 0) return found;
  const names = [found, ...others].map(([from]) => `“${from}”`);
  throw new ApiError(`${rule}: ${text} can mean ${names.join(' or ')}. Rename one of them.`);
}

/** The text at each of its =, with something on both sides. */
const splits = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/=/g)]
    .map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const)
    .filter(([from, to]) => from !== '' && to !== '');
