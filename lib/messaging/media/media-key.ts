import { newToken } from '#lib/core/crypto/token.ts';

const DAY_CHARACTERS = 10;

/** The day of an instant, as keys begin with it: `2026-11-22`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, DAY_CHARACTERS);

/** The key of a new file: random, behind the day on which it is stored. */
export const newMediaKey = (now: Date): string => `${dayOf(now)}/${newToken()}`;

/** Whether a text is a key that `newMediaKey` makes: then it names nothing outside of the store. */
export const isMediaKey = (text: string): boolean => /^\d{4}-\d{2}-\d{2}\/[\w-]{32}$/.test(text);
