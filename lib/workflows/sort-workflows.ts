// The order of the list of workflows, and the position of a page in it.
import * as z from 'zod';
import { invalidCursor } from '#lib/core/db/paging.ts';

export const SORT_ORDERS = ['changed', 'name', 'last_run', 'runs_today'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** The keys for filtering and sorting workflows. Instants are ISO 8601. */
export interface WorkflowKey {
  id: string;
  name: string;
  tags: readonly string[];
  updatedAt: string;
  /** Null: it never ran, or the order does not need it. */
  lastRunAt: string | null;
  /** 0 where the order does not need it. */
  runsToday: number;
}

/** A position in an order: the highest value first, then by name. */
const placeSchema = z.tuple([z.union([z.string(), z.number()]), z.string(), z.string()]);
type Place = z.output<typeof placeSchema>;

const VALUES: Readonly<Record<SortOrder, (key: WorkflowKey) => string | number>> = {
  changed: ({ updatedAt }) => updatedAt,
  name: () => 0,
  last_run: ({ lastRunAt }) => lastRunAt ?? '',
  runs_today: ({ runsToday }) => runsToday,
};

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const TAGS = new Intl.Collator('en', { numeric: true });

const placeOf = (key: WorkflowKey, order: SortOrder): Place => [VALUES[order](key), key.name, key.id];

function comparePlaces([a, aName, aId]: Place, [b, bName, bId]: Place): number {
  if (a !== b) return a < b ? 1 : -1;
  return NAMES.compare(aName, bName) || (aId < bId ? -1 : Number(aId > bId));
}

export interface WorkflowFilter {
  /** Empty: any name. */
  text: string;
  /** Empty: any tag. */
  tag: string;
  /** Workflows that were found by something other than name and tags. */
  foundIds: ReadonlySet<string>;
}

/** Workflows with the tag whose name and tags contain every word of the text, or that were found otherwise. */
export function filterWorkflows(
  keys: readonly WorkflowKey[],
  { text, tag, foundIds }: WorkflowFilter,
): WorkflowKey[] {
  const words = text.toLocaleLowerCase('en').split(/\s+/).filter(Boolean);
  const hasWords = ({ name, tags }: WorkflowKey) => {
    const searched = [name, ...tags].join(' ').toLocaleLowerCase('en');
    return words.every((word) => searched.includes(word));
  };
  return keys.filter(
    (key) => (tag === '' || key.tags.includes(tag)) && (hasWords(key) || foundIds.has(key.id)),
  );
}

/**
 * A page in the order.
 * @param cursor from the page before; workflows that changed in between are at their new position
 * @throws AppError `invalid_request` for an invalid cursor
 */
export function pageOfWorkflows(
  keys: readonly WorkflowKey[],
  { order, limit, cursor }: { order: SortOrder; limit: number; cursor?: string | undefined },
): { ids: string[]; next_cursor: string | null } {
  const after = cursor === undefined ? null : readPlace(cursor);
  const places = keys
    .map((key) => placeOf(key, order))
    .filter((place) => after === null || comparePlaces(place, after) > 0)
    .sort(comparePlaces);
  const page = places.slice(0, limit);
  const last = places.length > limit ? page.at(-1) : undefined;
  return { ids: page.map(([, , id]) => id), next_cursor: last ? writePlace(last) : null };
}

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readPlace(cursor: string): Place {
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw invalidCursor(cause);
  }
}

/** All tags by name, without duplicates. */
export const listTags = (keys: readonly Pick<WorkflowKey, 'tags'>[]): string[] =>
  [...new Set(keys.flatMap(({ tags }) => tags))].sort(TAGS.compare);
