// Indexes events behind their intake, which does nothing for it. A segment is written in one transaction, so that a kill costs
// only the segment that was being made; what was to be made stays in the table.
import { setImmediate } from 'node:timers/promises';
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import { SECRET_NAME } from '#lib/core/secret-names.ts';
import { DELETE_POSTINGS, IS_LATER } from './forget.ts';
import { gramsOfText, hashProperty } from './grams.ts';
import { PostingsWriter } from './postings.ts';

/** A segment, or what a new one replaces. */
export interface Segment {
  id: string;
  workspace_id: string;
  from_ms: number;
  to_ms: number;
  version: number;
}

const DOCUMENTS_AT_ONCE = 100;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

interface Document {
  id: string;
  workflow_id: string | null;
  outcome: string;
  headers: string | null;
  body: Buffer | null;
}

/**
 * An event, and a run that was started later for one, which has its text. No row values: up to PostgreSQL 17 the upper one would
 * not end the scan, and an old segment would read all newer events.
 */
const LIST = `
select doc.id, doc.event_id, coalesce((select octet_length(e.body) from events e where e.id = doc.event_id), 0) as size from (
  select id, id as event_id from events where workspace_id = $1 and id >= $2 and id < $3
  union all
  select id, event_id from runs
  where workspace_id = $1 and id >= $2 and id < $3 and ${IS_LATER}
) doc order by doc.id`;

/** As the search reads them: without values that could be secrets. */
const READ = `
select doc.id, e.workflow_id, e.outcome, e.body, (
  select string_agg(h.key || ': ' || h.value, E'\\n') from json_each_text(e.headers) h where h.key !~* $3) as headers
from unnest($1::uuid[], $2::uuid[]) as doc(id, event_id)
cross join lateral (select * from events where id = doc.event_id limit 1) e`;

interface Listed {
  id: string;
  event_id: string;
  size: number;
}

/** The beginning of a list, up to the limits of documents and bytes; at least one. */
function takeSome(listed: readonly Listed[]): readonly Listed[] {
  let bytes = 0;
  const end = listed.findIndex(({ size }, place) => {
    bytes += size;
    return place > 0 && (place >= DOCUMENTS_AT_ONCE || bytes > BYTES_AT_ONCE);
  });
  return end < 0 ? listed : listed.slice(0, end);
}

interface Content {
  ids: string[];
  postings: PostingsWriter;
}

/** Reads what is between two instants. Other work of the process comes in between. */
async function readContent(
  pool: Pool,
  { workspace_id, from_ms, to_ms }: Omit<Segment, 'id' | 'version'>,
): Promise<Content> {
  const { rows: listed } = await pool.query<Listed>(LIST, [
    workspace_id,
    lowestIdAt(from_ms),
    lowestIdAt(to_ms),
  ]);
  const [ids, postings]: [string[], PostingsWriter] = [[], new PostingsWriter()];
  for (let left: readonly Listed[] = listed; left.length > 0;) {
    const taken = takeSome(left);
    left = left.slice(taken.length);
    const values = [taken.map(({ id }) => id), taken.map(({ event_id }) => event_id), SECRET_NAME.source];
    const { rows } = await pool.query<Document>(READ, values);
    for (const document of rows) {
      addDocument(postings, document, ids.push(document.id) - 1);
      await setImmediate();
    }
  }
  return { ids, postings };
}

function addDocument(
  postings: PostingsWriter,
  { workflow_id, outcome, headers, body }: Document,
  place: number,
): void {
  if (workflow_id !== null) postings.add(hashProperty('workflow', workflow_id), false, place);
  postings.add(hashProperty('outcome', outcome), false, place);
  const { visible, hidden } = gramsOfText(`${headers ?? ''}\n${body?.toString('utf8') ?? ''}`);
  for (const gram of visible) postings.add(gram, false, place);
  for (const gram of hidden) postings.add(gram, true, place);
}

const STILL_ON = 'select from full_text_switch for share';
const LOCK =
  'select id, version from full_text_segments where id = any($1::bigint[]) order by from_ms for update';
const DELETE = 'delete from full_text_segments where id = any($1::bigint[])';
const INSERT = `
insert into full_text_segments (workspace_id, from_ms, to_ms, documents, ids) values ($1, $2, $3, $4, $5) returning id`;
const INSERT_POSTINGS = `
insert into full_text_postings (segment_id, bucket, entries) select $1, * from unnest($2::smallint[], $3::bytea[])`;

/**
 * Makes one segment of adjacent ones, from what the workspace has between them now. Nothing is written when a text in it was
 * removed in the meantime, or full text was switched off. @returns whether it was written
 */
export async function buildSegment(pool: Pool, sources: readonly Segment[]): Promise<boolean> {
  const [first, last] = [sources[0], sources.at(-1)];
  if (!first || !last) return false;
  const { workspace_id, from_ms } = first;
  const { ids, postings } = await readContent(pool, { workspace_id, from_ms, to_ms: last.to_ms });
  const rows = postings.toRows(ids.length);
  return inTransaction(pool, async (client) => {
    if ((await client.query(STILL_ON)).rows.length === 0) return false;
    const sourceIds = sources.map(({ id }) => id);
    if (!(await lockUnchanged(client, sources))) return false;
    await client.query(DELETE_POSTINGS, [sourceIds]);
    await client.query(DELETE, [sourceIds]);
    const bytes = Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
    const { rows: inserted } = await client.query<{ id: string }>(INSERT, [
      workspace_id,
      from_ms,
      last.to_ms,
      ids.length,
      bytes,
    ]);
    await client.query(INSERT_POSTINGS, [
      inserted[0]?.id,
      rows.map(({ bucket }) => bucket),
      rows.map(({ entries }) => entries),
    ]);
    return true;
  });
}

async function lockUnchanged(client: Queryable, sources: readonly Segment[]): Promise<boolean> {
  const { rows } = await client.query<{ id: string; version: number }>(LOCK, [sources.map(({ id }) => id)]);
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return sources.every(({ id, version }) => versions.get(id) === version);
}
