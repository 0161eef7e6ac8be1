import { randomBytes } from 'node:crypto';

const KEY_PREFIX = 'pb_';
const SHOWN_CHARACTERS = 7;

/** A new API key: 256 random bits, recognisable by its first characters. */
export const newApiKey = (): string => KEY_PREFIX + randomBytes(32).toString('base64url');

/** The first characters, which identify a key in lists. */
export const prefixOf = (key: string): string => key.slice(0, SHOWN_CHARACTERS);
