import { createHash, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'pb_';
const SHOWN_CHARACTERS = 7;

/** A new API key: 256 random bits, recognisable by its first characters. */
export const newApiKey = (): string => KEY_PREFIX + randomBytes(32).toString('base64url');

/** What is kept of a key. A plain hash will do: a key is random, not a password that could be guessed. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The first characters, to tell keys apart in a list. */
export const prefixOf = (key: string): string => key.slice(0, SHOWN_CHARACTERS);
