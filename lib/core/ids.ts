import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are drawn for many ids at once: a draw costs as much as the rest of an id together. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;

let lastMs = 0;
let sequence = 0;

/**
 * A new id: UUID version 7, so that ids sort by the time they were made and indexes grow at one end.
 * Those that one process makes sort in the order of their making, within a millisecond too.
 */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  const random = pool.subarray(used - 16, used);
  const now = Date.now();
  sequence = now > lastMs ? (random[0] ?? 0) * 2 ** 16 : sequence + 1;
  lastMs = Math.max(now, lastMs);
  return v7({ random, msecs: lastMs, seq: sequence });
}

const MS_HEX_DIGITS = 12;

/** Not above any id, and not below any: the bounds of a list that has none. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest id that can be made at an instant (milliseconds since 1970): what was made from then on is not below it. */
export function lowestIdAt(atMs: number): string {
  const hex = Math.max(0, Math.floor(atMs)).toString(16).padStart(MS_HEX_DIGITS, '0').slice(-MS_HEX_DIGITS);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made: milliseconds since 1970. */
export const createdAtMs = (id: string): number =>
  Number.parseInt(id.replaceAll('-', '').slice(0, MS_HEX_DIGITS), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text could be an id of ours, so that a wrong one is "not found" and never a database error. */
export const isId = (text: string): boolean => UUID.test(text);
