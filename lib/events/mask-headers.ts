import { isSecretName } from '#lib/core/secret-names.ts';

const MASK = '••••';
const SHOWN_CHARACTERS = 4;
/** The end of a shorter value would reveal too much. */
const MIN_LENGTH_TO_SHOW = 20;

/** Headers for display: only the last four characters of values that could be secrets. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? mask(value) : value]),
  );
}

const mask = (value: string): string =>
  value.length < MIN_LENGTH_TO_SHOW ? MASK : MASK + value.slice(-SHOWN_CHARACTERS);
