// The worker's recurring job that erases customers (docs/decisions/erasure.md): in small transactions, each of which can be repeated.
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import { restSince, SLICE_MS } from '#lib/core/queue/slice.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { listBurstEvents } from '#lib/engine/store/bursts.ts';
import type { ErasedCounts } from '#lib/messaging/schema/erasures.ts';
import { FileRemover, type FileRuntime } from '../retention/remove-files.ts';
import { Samples } from '../retention/samples.ts';
import { readSubject } from './erase-customer.ts';
import { type Erasing, eraseNamed, eraseReceived, eraseRuns, eraseSent, nonZero } from './own-rows.ts';
import { findErasedAgain } from './carry-over.ts';
import { cleanRun } from './clean-run.ts';
import { cleanEvents, cleanPlace, cleanRuns, PLACES } from './places.ts';
import { Spellings } from './spellings.ts';

const ERASURES_AT_ONCE = 20;
const AHEAD_MS = 60_000;

export interface WorkOffOptions {
  db: Database;
  secrets: SecretBox;
  /** Left out: there are no files. */
  files?: FileRuntime;
  /** How long it may work. */
  sliceMs?: number;
}

interface Row {
  id: string;
  workspaceId: string;
  subject: string;
  counts: ErasedCounts;
  step: number;
  position: string;
  waitsFor: string[];
}

/** Of a restore, which knows hashes only. */
type Nameless = Omit<Row, 'subject'> & { subject: null };

const isNamed = (row: Row | Nameless): row is Row => row.subject !== null;

const UNFINISHED = `
select id, workspace_id as "workspaceId", subject_encrypted as subject, counts, step, position,
  waits_for as "waitsFor"
from erasures where finished_at is null order by id limit ${ERASURES_AT_ONCE}`;

/** Continues the erasures of all workspaces for some seconds. @returns whether there is more to do at once */
export async function workOffErasures(options: WorkOffOptions): Promise<boolean> {
  const { db, secrets, sliceMs = SLICE_MS } = options;
  const pool = db.$client;
  const deadline = performance.now() + sliceMs;
  const read = async () => (await pool.query<Row | Nameless>(UNFINISHED)).rows;
  let rows = await read();
  if (!rows.every(isNamed)) {
    await findErasedAgain(db, secrets);
    rows = await read();
  }
  for (const row of rows.filter(isNamed)) if (!(await workOn(options, row, deadline))) return true;
  return false;
}

/** A step does a page and returns where it ended; null: the step is done. */
type Step = (pool: Pool, erasing: Erasing, position: string) => Promise<string | null>;

const again =
  (work: (pool: Pool, erasing: Erasing) => Promise<boolean>): Step =>
  async (pool, erasing) =>
    (await work(pool, erasing)) ? 'more' : null;

/** Runs before messages, by which they are found. Names last. */
const listSteps = (): Step[] => {
  // Ids of other processes may be a little ahead.
  const until = lowestIdAt(Date.now() + AHEAD_MS);
  return [
    eraseRuns,
    again(eraseReceived),
    again(eraseSent),
    (pool, erasing, position) => cleanEvents(pool, erasing, position, until),
    (pool, erasing, position) => cleanRuns(pool, erasing, position, until),
    ...PLACES.map(
      (place): Step =>
        (pool, erasing, position) =>
          cleanPlace(pool, erasing, place, position),
    ),
  ];
};

/** @returns whether nothing is to be done for it now */
async function workOn(options: WorkOffOptions, row: Row, deadline: number): Promise<boolean> {
  const { db, secrets, files } = options;
  const pool = db.$client;
  const subject = readSubject(secrets, row);
  const counts = new Map(Object.entries(row.counts));
  const erasing: Erasing = {
    id: row.id,
    workspaceId: row.workspaceId,
    names: subject.names,
    spellings: new Spellings(subject),
    removal: { pool, now: new Date(), files: new FileRemover(files), samples: new Samples() },
    count: (kind, rows) => void counts.set(kind, (counts.get(kind) ?? 0) + rows),
    waitsFor: new Set(row.waitsFor),
  };
  const steps = listSteps();
  let { step, position } = row;
  while (step < steps.length) {
    if (performance.now() >= deadline) return false;
    const since = performance.now();
    const next = await (steps[step] as Step)(pool, erasing, position);
    [step, position] = next === null ? [step + 1, ''] : [step, next];
    const values = [row.id, step, position, nonZero(Object.fromEntries(counts)), [...erasing.waitsFor]];
    await pool.query(MOVE, values);
    await restSince(since);
  }
  await cleanEnded(pool, erasing);
  return inTransaction(pool, async (client) => {
    const isDone = erasing.waitsFor.size === 0;
    if (isDone) await eraseNamed(client, erasing);
    await finish(client, row.id, { counts, waitsFor: erasing.waitsFor, isDone });
    return true;
  });
}

const MOVE = `
update erasures set step = $2, position = $3, counts = $4::json, waits_for = $5::uuid[] where id = $1 and finished_at is null`;

const ENDED = `
select asked.id, r.event_id, r.id is null as is_gone from unnest($1::uuid[]) asked(id)
left join runs r on r.id = asked.id where r.id is null or not (${isOpenRunSql('r.status')})`;

/** Runs that were open, and are for others, too. */
async function cleanEnded(pool: Pool, erasing: Erasing): Promise<void> {
  const { waitsFor } = erasing;
  if (waitsFor.size === 0) return;
  const { rows } = await pool.query<{ id: string; event_id: string | null; is_gone: boolean }>(ENDED, [
    [...waitsFor],
  ]);
  for (const { id, event_id: eventId, is_gone: isGone } of rows) {
    waitsFor.delete(id);
    if (isGone || eventId === null) continue;
    await cleanRun(pool, erasing, id);
    const collected = await listBurstEvents(pool, eventId);
    for (const each of collected.length > 0 ? collected : [eventId])
      await cleanEvents(pool, erasing, before(each), each);
  }
  // What they had sent before they ended.
  for (;;) {
    const since = performance.now();
    if (!(await eraseSent(pool, erasing))) return;
    await restSince(since);
  }
}

/** The id right before another one. */
const before = (id: string): string => {
  const value = BigInt(`0x${id.replaceAll('-', '')}`) - 1n;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const FINISH = `
update erasures set counts = $2::json, waits_for = $3::uuid[],
  finished_at = case when $4 then now() end, subject_encrypted = case when $4 then null else subject_encrypted end
where id = $1 and finished_at is null`;

async function finish(
  client: Queryable,
  id: string,
  {
    counts,
    waitsFor,
    isDone,
  }: { counts: Map<string, number>; waitsFor: ReadonlySet<string>; isDone: boolean },
): Promise<void> {
  await client.query(FINISH, [id, nonZero(Object.fromEntries(counts)), [...waitsFor], isDone]);
}
