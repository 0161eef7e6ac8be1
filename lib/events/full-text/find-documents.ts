// Finds by the index which events may have a text, newest first. The search compares them with it (../search-by-event.ts).
import type { Queryable } from '#lib/core/db/client.ts';
import { createdAtMs } from '#lib/core/ids.ts';
import { findPlaces, intersect, keyOf, type Places, unite } from './postings.ts';
import { isFullTextOn } from './switch.ts';

/** A part of a workspace's time: indexed segments, or what has to be read as if there were no index. Newest first. */
export type Span =
  | { kind: 'index'; segments: readonly SpanSegment[] }
  | { kind: 'scan'; fromMs: number; toMs: number };

export interface SpanSegment {
  id: string;
  fromMs: number;
  toMs: number;
}

interface SegmentRow {
  id: string;
  from_ms: number;
  to_ms: number;
  is_indexed: boolean;
}

const SEGMENTS = `
select id, from_ms::float8, to_ms::float8, documents is not null as is_indexed from full_text_segments
where workspace_id = $1 and from_ms < $2::bigint and from_ms >= coalesce((
  select from_ms from full_text_segments where (workspace_id, from_ms) <= ($1, $3::bigint) and (workspace_id, from_ms) >= ($1, 0)
  order by workspace_id desc, from_ms desc limit 1), 0)
order by workspace_id desc, from_ms desc`;

/** The spans between two instants; undefined: full text is off. */
export async function listSpans(
  db: Queryable,
  workspaceId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Span[] | undefined> {
  if (!(await isFullTextOn(db))) return undefined;
  const { rows } = await db.query<SegmentRow>(SEGMENTS, [workspaceId, Math.ceil(toMs), Math.floor(fromMs)]);
  const spans: Span[] = [];
  let at = toMs;
  const scan = (from: number): void => {
    if (from < at) spans.push({ kind: 'scan', fromMs: from, toMs: at });
    at = Math.min(at, from);
  };
  for (const { id, from_ms, to_ms, is_indexed } of rows) {
    scan(Math.max(fromMs, to_ms));
    if (!is_indexed) {
      scan(Math.max(fromMs, from_ms));
      continue;
    }
    const segment = { id, fromMs: from_ms, toMs: to_ms };
    const last = spans.at(-1);
    if (last?.kind === 'index') last.segments = [...last.segments, segment];
    else spans.push({ kind: 'index', segments: [segment] });
    at = Math.max(fromMs, from_ms);
  }
  scan(fromMs);
  return spans;
}

/** Parts of words that a document has all of; one of them is any of its keys. */
export interface Asked {
  keys: readonly (readonly { bucket: number; rest: number }[])[];
}

/** More parts of a long text would be read for nothing: few events that do not have the text have as many of its parts. */
const MAX_GRAMS = 8;

const someOf = (grams: readonly number[]): readonly number[] => {
  const count = Math.min(MAX_GRAMS, grams.length);
  return Array.from({ length: count }, (_, place) => grams[Math.floor((place * grams.length) / count)] ?? 0);
};

/** @param hidesNumbers only by what readers see who never see numbers in full */
export const askFor = (
  grams: readonly number[],
  properties: readonly number[],
  hidesNumbers: boolean,
): Asked => ({
  keys: [
    ...properties.map((hash) => [keyOf(hash, false)]),
    ...someOf(grams).map((hash) =>
      hidesNumbers ? [keyOf(hash, false)] : [keyOf(hash, false), keyOf(hash, true)],
    ),
  ],
});

/** Segments are replaced by others when they are merged, or a text in them is removed. */
export class ReplacedSegmentError extends Error {}

interface PostingsRow {
  segment_id: string;
  bucket: number | null;
  entries: Buffer | null;
}

/** `offset 0` makes the planner look each segment up, whatever it expects of them. */
const POSTINGS = `
select s.id as segment_id, p.bucket, p.entries from full_text_segments s left join lateral (
  select bucket, entries from full_text_postings where segment_id = s.id and bucket = any($2::smallint[]) offset 0
) p on true
where s.id = any($1::bigint[]) and s.documents is not null`;
const IDS = `
select encode(substring(s.ids from found.place * 16 + 1 for 16), 'hex')::uuid as id
from unnest($1::bigint[], $2::int[]) with ordinality as found(segment_id, place, position)
join full_text_segments s on s.id = found.segment_id where s.ids is not null order by found.position`;

/** The first answer is quick where the text is frequent; further ones read more at once. */
const SEGMENTS_AT_FIRST = 2;
const SEGMENTS_AT_ONCE = 128;
const IDS_AT_ONCE = 500;

export interface Found {
  /** Newest first. */
  ids: string[];
  /** All documents from then on were looked for. */
  searchedMs: number;
}

/**
 * Documents of segments that may have what is asked for, newest first, a part at a time.
 * @throws ReplacedSegmentError
 */
export async function* findDocuments(
  db: Queryable,
  segments: readonly SpanSegment[],
  asked: Asked,
): AsyncGenerator<Found> {
  const buckets = [...new Set(asked.keys.flat().map(({ bucket }) => bucket))];
  let size = SEGMENTS_AT_FIRST;
  for (let left = segments; left.length > 0; size = Math.min(size * 8, SEGMENTS_AT_ONCE)) {
    const taken = left.slice(0, size);
    left = left.slice(size);
    const { rows } = await db.query<PostingsRow>(POSTINGS, [taken.map(({ id }) => id), buckets]);
    if (new Set(rows.map((row) => row.segment_id)).size < taken.length) throw new ReplacedSegmentError();
    const entries = new Map(rows.map((row) => [`${row.segment_id} ${row.bucket}`, row.entries]));
    const found = taken.flatMap(({ id }) =>
      placesWithAll(asked, (bucket) => entries.get(`${id} ${bucket}`) ?? undefined).map((place) => ({
        id,
        place,
      })),
    );
    for (let start = 0; start < found.length; start += IDS_AT_ONCE) {
      const some = found.slice(start, start + IDS_AT_ONCE);
      const values = [some.map(({ id }) => id), some.map(({ place }) => place)];
      const ids = (await db.query<{ id: string }>(IDS, values)).rows.map(({ id }) => id);
      if (ids.length < some.length) throw new ReplacedSegmentError();
      const last = ids.at(-1);
      if (last !== undefined && start + IDS_AT_ONCE < found.length)
        yield { ids, searchedMs: createdAtMs(last) + 1 };
      else yield { ids, searchedMs: taken.at(-1)?.fromMs ?? 0 };
    }
    if (found.length === 0) yield { ids: [], searchedMs: taken.at(-1)?.fromMs ?? 0 };
  }
}

/** The places of documents that have everything that is asked for, the last one first. */
function placesWithAll(
  { keys }: Asked,
  entriesOf: (bucket: number) => Buffer | undefined,
): readonly number[] {
  const all: Places[] = [];
  for (const alternatives of keys) {
    const places = unite(
      alternatives.flatMap(({ bucket, rest }) => {
        const entries = entriesOf(bucket);
        const found = entries && findPlaces(entries, rest);
        return found ? [found] : [];
      }),
    );
    if (!places) return [];
    all.push(places);
  }
  return intersect(all).toReversed();
}
