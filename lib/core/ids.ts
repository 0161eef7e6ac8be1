import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are drawn for many ids at once: one call costs as much as the rest of an id. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;

let lastMs = 0;
let sequence = 0;

/**
 * A new id: UUID version 7, so that ids sort by creation time and indexes grow at one end. Ids of one process also sort
 * within a millisecond.
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

/** Bounds of all ids, for lists without bounds. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest id of an instant (milliseconds since 1970): ids created from then on are not below it. */
export function lowestIdAt(atMs: number): string {
  const hex = Math.max(0, Math.floor(atMs)).toString(16).padStart(MS_HEX_DIGITS, '0').slice(-MS_HEX_DIGITS);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The same in SQL. @param atMs SQL: a whole number, not negative */
export const lowestIdSql = (atMs: string): string =>
  `(lpad(to_hex(${atMs}), ${MS_HEX_DIGITS}, '0') || repeat('0', 20))::uuid`;

/** When an id was created: milliseconds since 1970. */
export const createdAtMs = (id: string): number =>
  Number.parseInt(id.replaceAll('-', '').slice(0, MS_HEX_DIGITS), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a valid id, so that a malformed one is "not found" and not a database error. */
export const isId = (text: string): boolean => UUID.test(text);
