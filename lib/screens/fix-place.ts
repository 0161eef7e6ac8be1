import * as z from 'zod';
import { isId } from '#lib/core/ids.ts';
import { NUMBERS_ANCHOR } from './connection-types.ts';
import type { FixPlace } from './run-types.ts';

const detailsSchema = z.object({ connection_id: z.string().refine(isId) });

/** What is fixed on the page of the connection, by code of the error; the part of the page, where there is one. */
const PLACES: ReadonlyMap<string, { label: string; anchor?: string }> = new Map([
  ['number_not_registered', { label: 'Register the number', anchor: NUMBERS_ANCHOR }],
  ['invalid_token', { label: 'Open the connection' }],
  ['insufficient_permissions', { label: 'Open the connection' }],
]);

/** Where the reason of a failure is removed; null: not on a page of a connection, or it is not known which one failed. */
export function findFixPlace(error: { code: string; details?: unknown } | null): FixPlace | null {
  const place = error && PLACES.get(error.code);
  const { data } = detailsSchema.safeParse(error?.details);
  if (!place || !data) return null;
  const anchor = place.anchor === undefined ? '' : `#${place.anchor}`;
  return { href: `/connections/${data.connection_id}${anchor}`, label: place.label };
}
