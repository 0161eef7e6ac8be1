import { isSecretName } from '#lib/core/secret-names.ts';

const MASK = '••••';
const SHOWN_CHARACTERS = 4;
/** Of a shorter value even its end would tell too much. */
const MIN_LENGTH_TO_SHOW = 20;

/** Headers as they may be shown: of a value that could be a secret no more than its last four characters. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? mask(value) : value]),
  );
}

const mask = (value: string): string =>
  value.length < MIN_LENGTH_TO_SHOW ? MASK : MASK + value.slice(-SHOWN_CHARACTERS);
