// Parses `patchbay apply --connection <name in the file>=<name here>`. Names may contain an =, too.
import { ApiError } from './api.ts';

export interface KnownNames {
  /** Names of connections in the files. */
  inFiles: readonly string[];
  /** Names of connections of the installation. */
  here: readonly string[];
}

/**
 * Names of connections in files → names of connections here.
 * @throws ApiError for an invalid or ambiguous text
 */
export const readReplacements = (texts: readonly string[], known: KnownNames): Record<string, string> =>
  Object.fromEntries(texts.map((text) => readReplacement(text, known)));

/** With several =, the one with known names on both sides counts, or else the one after a name in the files. */
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

/** The splits of a text at each =, with text on both sides. */
const splits = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/=/g)]
    .map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const)
    .filter(([from, to]) => from !== '' && to !== '');
