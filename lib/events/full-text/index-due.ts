// The worker's recurring job that indexes events while full text is on: what arrived, what is older, what has to be indexed again.
import type { Pool } from '#lib/core/db/client.ts';
import { createdAtMs, HIGHEST_ID, lowestIdAt, lowestIdSql } from '#lib/core/ids.ts';
import { restSince, SLICE_MS } from '#lib/core/queue/slice.ts';
import { buildSegment, type Segment } from './build.ts';
import { isFullTextOn } from './switch.ts';

/** Large enough that a search reads few segments, and small enough to be made in about a second. */
const MAX_DOCUMENTS = 8192;
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Fewer new events are read by each search, which reads a thousand at once. A third of it would triple the WAL of an event: a
 * small segment has almost as many rows as a large one.
 */
export const LEAST_NEW = 768;
/** How long something is left alone. Milliseconds. */
interface Patience {
  /** After the arrival of an event: ids are made before the transaction that stores them ends. */
  settledMs: number;
  /** Until small segments become a large one, which also gets what was stored late. */
  mergedMs: number;
  /** After a removal, because removals touch the same segment again and again. */
  againMs: number;
}

const PATIENCE: Patience = { settledMs: 10_000, mergedMs: 600_000, againMs: 60_000 };
/** Segments. */
const MERGED_AT_LEAST = 8;

export interface IndexOptions {
  pool: Pool;
  sliceMs?: number;
  maxDocuments?: number;
  /** Tests index one event. */
  leastNew?: number;
  patience?: Patience;
  /** Does not rest after a segment: nothing else runs. */
  isRested?: boolean;
}

type Limits = Required<Pick<IndexOptions, 'maxDocuments' | 'leastNew' | 'patience'>> & { now: number };

/** Indexes for some seconds. @returns whether more is due */
export async function indexDue({
  pool,
  sliceMs = SLICE_MS,
  maxDocuments = MAX_DOCUMENTS,
  leastNew = LEAST_NEW,
  patience = PATIENCE,
  isRested = false,
}: IndexOptions): Promise<boolean> {
  if (!(await isFullTextOn(pool))) return false;
  const deadline = performance.now() + sliceMs;
  for (;;) {
    const limits = { maxDocuments, leastNew, patience, now: Date.now() };
    let isDone = true;
    // A segment of each in turn, so that a workspace with millions of events does not hold up the others.
    for (const workspaceId of await listDueWorkspaces(pool, limits)) {
      const since = performance.now();
      const due = await findDue(pool, workspaceId, limits);
      if (!due) continue;
      isDone = false;
      await buildSegment(pool, due);
      if (performance.now() >= deadline) return true;
      if (!isRested) await restSince(since);
    }
    if (isDone) return false;
  }
}

/** Those with older events, enough new ones, segments to be made again, or small ones. */
const DUE_WORKSPACES = `
select w.id from workspaces w cross join lateral (
  select (select from_ms from full_text_segments s where s.workspace_id = w.id order by from_ms limit 1) as first_ms,
    (select to_ms from full_text_segments s where s.workspace_id = w.id order by from_ms desc limit 1) as last_ms
) frontier
where coalesce(first_ms, 1) > 0
  or exists (
    select from (
      select id from events e where (e.workspace_id, e.id) >= (w.id, ${lowestIdSql('last_ms')})
        and (e.workspace_id, e.id) <= (w.id, '${HIGHEST_ID}'::uuid)
      order by e.workspace_id, e.id offset $2 limit 1) as enough where id < $1::uuid)
  or exists (select from full_text_segments s where s.workspace_id = w.id and documents is null and changed_at < $3)
  or exists (
    select from full_text_segments s where s.workspace_id = w.id and documents < $4 and to_ms < $5 offset ${MERGED_AT_LEAST - 1} limit 1)
order by random()`;

async function listDueWorkspaces(
  pool: Pool,
  { maxDocuments, leastNew, patience, now }: Limits,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(DUE_WORKSPACES, [
    lowestIdAt(now - patience.settledMs),
    leastNew - 1,
    new Date(now - patience.againMs),
    Math.ceil(maxDocuments / 2),
    now - patience.mergedMs,
  ]);
  return rows.map(({ id }) => id);
}

/** The segments that become one next: new events, then older ones, then what has to be made again or can be merged. */
async function findDue(
  pool: Pool,
  workspaceId: string,
  limits: Limits,
): Promise<readonly Segment[] | undefined> {
  const frontier = await readFrontier(pool, workspaceId);
  const settledMs = limits.now - limits.patience.settledMs;
  const top = frontier?.last_ms ?? settledMs;
  const added =
    (await addNewer(pool, workspaceId, { fromMs: top, toMs: settledMs }, limits)) ??
    (await addOlder(pool, workspaceId, frontier?.first_ms ?? settledMs, limits));
  return added ? [added] : findAgain(pool, workspaceId, limits);
}

interface Frontier {
  first_ms: number;
  last_ms: number;
}

const FRONTIER = `
select (select from_ms::float8 from full_text_segments where workspace_id = $1 order by from_ms limit 1) as first_ms,
  (select to_ms::float8 from full_text_segments where workspace_id = $1 order by from_ms desc limit 1) as last_ms`;

/** What is between the first and the last segment; undefined: there are none. */
async function readFrontier(pool: Pool, workspaceId: string): Promise<Frontier | undefined> {
  const { rows } = await pool.query<{ first_ms: number | null; last_ms: number | null }>(FRONTIER, [
    workspaceId,
  ]);
  const { first_ms = null, last_ms = null } = rows[0] ?? {};
  return first_ms === null || last_ms === null ? undefined : { first_ms, last_ms };
}

interface Listed {
  id: string;
  size: number;
}

const listSql = (order: 'asc' | 'desc'): string => `
select id, coalesce(octet_length(body), 0) as size from events where (workspace_id, id) >= ($1, $2) and (workspace_id, id) < ($1, $3)
order by workspace_id ${order}, id ${order} limit $4`;

/** The last of the first events that fit into a segment; undefined: there are no events. */
function lastFitting(listed: readonly Listed[]): Listed | undefined {
  let bytes = 0;
  const end = listed.findIndex(({ size }, place) => (bytes += size) > MAX_BYTES && place > 0);
  return end < 0 ? listed.at(-1) : listed[end - 1];
}

async function addNewer(
  pool: Pool,
  workspaceId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { maxDocuments, leastNew }: Limits,
): Promise<Segment | undefined> {
  const values = [workspaceId, lowestIdAt(fromMs), lowestIdAt(toMs), maxDocuments];
  const { rows } = await pool.query<Listed>(listSql('asc'), values);
  const last = lastFitting(rows);
  if (!last || rows.length < leastNew) return undefined;
  return addSegment(pool, workspaceId, { fromMs, toMs: createdAtMs(last.id) + 1 });
}

async function addOlder(
  pool: Pool,
  workspaceId: string,
  toMs: number,
  { maxDocuments }: Limits,
): Promise<Segment | undefined> {
  if (toMs === 0) return undefined;
  const values = [workspaceId, lowestIdAt(0), lowestIdAt(toMs), maxDocuments];
  const { rows } = await pool.query<Listed>(listSql('desc'), values);
  const last = lastFitting(rows);
  const isAll = rows.length < maxDocuments && last === rows.at(-1);
  return addSegment(pool, workspaceId, { fromMs: isAll || !last ? 0 : createdAtMs(last.id), toMs });
}

const COLUMNS = 'id, workspace_id, from_ms::float8, to_ms::float8, version';
const ADD = `
insert into full_text_segments (workspace_id, from_ms, to_ms) values ($1, $2, $3)
on conflict do nothing returning ${COLUMNS}`;

async function addSegment(
  pool: Pool,
  workspaceId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Segment | undefined> {
  const { rows } = await pool.query<Segment>(ADD, [workspaceId, fromMs, toMs]);
  return rows[0];
}

interface Small extends Segment {
  documents: number | null;
}

/** Left by a process that was killed, or touched by a removal a minute ago. */
const AGAIN = `
select ${COLUMNS}, documents from full_text_segments
where workspace_id = $1 and documents is null and changed_at < $2 order by from_ms desc limit 1`;
const SMALL = `
select ${COLUMNS}, documents from full_text_segments
where workspace_id = $1 and documents < $2 and to_ms < $3 order by from_ms`;

async function findAgain(
  pool: Pool,
  workspaceId: string,
  { now, maxDocuments, patience }: Limits,
): Promise<readonly Segment[] | undefined> {
  const { rows: again } = await pool.query<Small>(AGAIN, [workspaceId, new Date(now - patience.againMs)]);
  if (again.length > 0) return again;
  const values = [workspaceId, Math.ceil(maxDocuments / 2), now - patience.mergedMs];
  const { rows } = await pool.query<Small>(SMALL, values);
  return mergeable(rows, maxDocuments);
}

/** The first adjacent segments of this list that make a large one, or are many. */
export function mergeable(segments: readonly Small[], maxDocuments: number): readonly Segment[] | undefined {
  let [group, documents]: [Small[], number] = [[], 0];
  for (const segment of segments) {
    const size = segment.documents ?? 0;
    const fits = group.at(-1)?.to_ms === segment.from_ms && documents + size <= maxDocuments;
    if (!fits) {
      if (group.length >= MERGED_AT_LEAST) return group;
      [group, documents] = [[], 0];
    }
    group.push(segment);
    documents += size;
  }
  return group.length >= MERGED_AT_LEAST && documents > maxDocuments / 2 ? group : undefined;
}
