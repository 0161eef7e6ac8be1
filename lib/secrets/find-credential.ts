// Finds what people call the key in a value, or in a text such as a body. Values that contain variables have none.
import { isSecretName, looksRandom } from '#lib/core/secret-names.ts';
import { findSecretPlaces } from './find-secrets.ts';
import { findPlaceholders } from './placeholder-format.ts';

export interface Credential {
  /** Such as `Bearer `. */
  before: string;
  /** The key itself, or the placeholder of one that is stored. */
  text: string;
  after: string;
  /** It is already stored encrypted. */
  isStored: boolean;
  /** Recognized by its look only: it is not encrypted automatically when the draft is saved. */
  isGuess: boolean;
}

/**
 * The credential in the value of a header or parameter.
 * @param name of the header or parameter
 */
export function findCredential(value: string, name: string): Credential | undefined {
  const places = findSecretPlaces(value, name).filter(({ from, to }) => value.slice(from, to).trim() !== '');
  const [place] = places;
  if (places.length > 1) return undefined;
  if (!place)
    return looksRandom(value) && !isSecretName(name) ? toCredential(value, 0, value.length, true) : undefined;
  return toCredential(value, place.from, place.to, false);
}

export interface NamedCredential extends Credential {
  /** Of the value that it is; undefined for a token that is recognized by its shape. */
  name: string | undefined;
}

/**
 * The credentials in a text with several values, such as a body, that a variable could take the place of: only what is encrypted
 * when the draft is saved. Those that are written escaped, and bare numbers, are left out, as a variable would render otherwise.
 */
export function listCredentialsIn(text: string): NamedCredential[] {
  const places = findSecretPlaces(text).toSorted((a, b) => a.from - b.from || b.to - a.to);
  const isMarkup = /^\s*[{[<]/.test(text);
  const escapes = isMarkup ? /[\\&]/ : /[\\%+]/;
  let end = 0;
  return places.flatMap(({ name, from, to }) => {
    const value = text.slice(from, to).trim();
    const isBare = isMarkup && /[:,[\s]/.test(text[from - 1] ?? '') && Number.isFinite(Number(value));
    if (from < end || value === '' || isBare || escapes.test(value)) return [];
    end = to;
    const credential = toCredential(text, from, to, false);
    return credential ? [{ ...credential, name }] : [];
  });
}

function toCredential(value: string, from: number, to: number, isGuess: boolean): Credential | undefined {
  const untrimmed = value.slice(from, to);
  const text = untrimmed.trim();
  const start = from + untrimmed.indexOf(text);
  const placeholders = findPlaceholders(text);
  const isStored = placeholders.length === 1 && placeholders[0]?.id !== undefined;
  const isWhole =
    placeholders.length === 0 ||
    (isStored && placeholders[0]?.to === text.length && placeholders[0].from === 0);
  if (text.includes('{{') || !isWhole) return undefined;
  return { before: value.slice(0, start), text, after: value.slice(start + text.length), isStored, isGuess };
}
