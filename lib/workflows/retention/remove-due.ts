// The worker's recurring job that removes what is older than its workspace keeps it (docs/decisions/retention.md).
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { lowestIdAt, LOWEST_ID } from '#lib/core/ids.ts';
import { restSince, SLICE_MS } from '#lib/core/queue/slice.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import type { RetentionPart } from '#lib/identity/schema/retention.ts';
import { type DuePart, listDueParts } from './due-parts.ts';
import { type Candidate, fit, type Part, type RemovalContext, type Selection } from './parts.ts';
import { EVENT_BODIES, EVENTS } from './remove-events.ts';
import { FileRemover, type FileRuntime } from './remove-files.ts';
import { NAMES, REMEMBERED, WINDOWS } from './remove-customers.ts';
import { LISTS } from './remove-lists.ts';
import { AUDIT, MESSAGES, RECEIVED } from './remove-records.ts';
import { RUN_BODIES, RUNS } from './remove-runs.ts';
import { Samples } from './samples.ts';

const PARTS: Readonly<Record<RetentionPart, Part>> = {
  run_bodies: RUN_BODIES,
  event_bodies: EVENT_BODIES,
  runs: RUNS,
  events: EVENTS,
  lists: LISTS,
  messages: MESSAGES,
  received: RECEIVED,
  windows: WINDOWS,
  names: NAMES,
  remembered: REMEMBERED,
  audit: AUDIT,
};
/** Events after their runs, so that they are not read twice. */
const ORDER = Object.keys(PARTS) as RetentionPart[];

/** So that a workspace with a backlog of months does not hold up the others. */
const TURN_MS = 1000;
const ROWS_AT_ONCE = 200;
const PARTS_AT_ONCE = 500;

export interface RemovalOptions {
  pool: Pool;
  /** Left out: there are no files. */
  files?: FileRuntime;
  now?: Date;
  /** How long it may work. */
  sliceMs?: number;
  rowsAtOnce?: number;
  /** Called after each batch; for tests. */
  afterBatch?: (part: RetentionPart) => Promise<void> | void;
}

/**
 * Removes due data for some seconds. Every batch is one transaction that also records how far it came, so that a kill at any
 * point costs nothing but the batch.
 * @returns whether more is due
 */
export async function removeDue(options: RemovalOptions): Promise<boolean> {
  const { pool, files, now = new Date(), sliceMs = SLICE_MS } = options;
  const ctx: RemovalContext = { pool, now, files: new FileRemover(files), samples: new Samples() };
  const deadline = performance.now() + sliceMs;
  const due = await listDueParts(pool, now, PARTS_AT_ONCE);
  const inOrder = due.toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  let isMore = due.length === PARTS_AT_ONCE;
  for (const part of inOrder) {
    if (performance.now() >= deadline) return true;
    const turnEnd = Math.min(deadline, performance.now() + TURN_MS);
    if (!(await workOn(ctx, part, turnEnd, options))) isMore = true;
  }
  return isMore;
}

/** Works on a part until nothing of it is due or its time is over. @returns whether nothing is due */
async function workOn(
  ctx: RemovalContext,
  due: DuePart,
  turnEnd: number,
  { rowsAtOnce = ROWS_AT_ONCE, afterBatch }: RemovalOptions,
): Promise<boolean> {
  await ctx.pool.query(BEGIN, [due.workspaceId, due.name]);
  for (;;) {
    const since = performance.now();
    const { isDone, removed } = await workBatch(ctx, due, rowsAtOnce);
    if (removed > 0) telemetry.removed.tell({ part: due.name, rows: removed });
    await afterBatch?.(due.name);
    if (isDone) return true;
    if (performance.now() >= turnEnd) return false;
    await restSince(since);
  }
}

const BEGIN = `
insert into retention_progress (workspace_id, part, position, leftover_position)
values ($1, $2, '${LOWEST_ID}', '${LOWEST_ID}') on conflict do nothing`;

interface Progress {
  position: string;
  leftover_position: string;
}

const READ = `select position, leftover_position from retention_progress where workspace_id = $1 and part = $2`;

const LEFTOVERS = `
select id as key, id as position from retention_leftovers
where workspace_id = $1 and part = $2 and id > $3 and id < $4 order by id limit $5`;

/** Removes the next rows: first those that became due, then leftovers of earlier passes. */
async function workBatch(
  ctx: RemovalContext,
  due: DuePart,
  limit: number,
): Promise<{ isDone: boolean; removed: number }> {
  const { workspaceId, name, cutoff, skippedBefore } = due;
  const { pool } = ctx;
  const part = PARTS[name];
  const end = lowestIdAt(cutoff.getTime());
  const { rows } = await pool.query<Progress>(READ, [workspaceId, name]);
  const progress = rows[0] ?? { position: LOWEST_ID, leftover_position: LOWEST_ID };
  const isInRange = progress.position < end;
  const start = skippedBefore === null ? LOWEST_ID : lowestIdAt(skippedBefore.getTime());
  const after = start > progress.position ? start : progress.position;
  const found = isInRange
    ? await part.list(pool, { workspaceId, after, before: end, limit })
    : (await pool.query<Candidate>(LEFTOVERS, [workspaceId, name, progress.leftover_position, end, limit]))
        .rows;
  const keys = found.map(({ key }) => key);
  const { removable } = await select(pool, ctx, due, { keys, lock: false });
  const weights = await part.measure?.(pool, removable);
  const [heaviest] = removable;
  const light = weights ? fit(removable, weights) : removable;
  if (light.length === 0 && heaviest !== undefined && part.shrink) {
    await part.shrink(ctx, { workspaceId, key: heaviest, cutoff });
    return { isDone: false, removed: 0 };
  }
  // A row that is too heavy and cannot be made lighter is removed alone.
  const last = removable[Math.max(1, light.length)];
  const taken = last === undefined ? found : found.slice(0, keys.indexOf(last));
  const isWhole = taken.length === found.length && found.length < limit;
  const to = taken.at(-1)?.position ?? LOWEST_ID;
  return inTransaction(pool, async (client) => {
    const removed = await removeTaken(
      client,
      ctx,
      due,
      taken.map(({ key }) => key),
    );
    const isDone = !isInRange && isWhole;
    const [position, leftoverPosition] = isInRange
      ? [isWhole ? end : to, LOWEST_ID]
      : [progress.position, isDone ? LOWEST_ID : to];
    const from = [progress.position, progress.leftover_position];
    await client.query(MOVE, [
      workspaceId,
      name,
      ...from,
      position,
      leftoverPosition,
      isDone ? cutoff : null,
    ]);
    return { isDone, removed };
  });
}

async function select(
  db: Queryable,
  ctx: RemovalContext,
  { workspaceId, name, cutoff }: DuePart,
  { keys, lock }: { keys: readonly string[]; lock: boolean },
): Promise<Selection> {
  const batch = { workspaceId, keys, cutoff, lock };
  return (await PARTS[name].select?.(db, ctx, batch)) ?? { removable: keys, kept: [] };
}

const KEEP = `
insert into retention_leftovers (workspace_id, part, id) select $1, $2, unnest($3::uuid[]) on conflict do nothing`;
const FORGET = `
delete from retention_leftovers where workspace_id = $1 and part = $2 and id = any($3::uuid[]) and not id = any($4::uuid[])`;

async function removeTaken(
  client: Queryable,
  ctx: RemovalContext,
  due: DuePart,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const { workspaceId, name, cutoff } = due;
  const part = PARTS[name];
  const { removable, kept } = await select(client, ctx, due, { keys, lock: true });
  const removed =
    removable.length === 0 ? 0 : await part.remove(client, ctx, { workspaceId, keys: removable, cutoff });
  if (part.measure) {
    await client.query(FORGET, [workspaceId, name, keys, kept]);
    if (kept.length > 0) await client.query(KEEP, [workspaceId, name, kept]);
  }
  return removed;
}

/** Only from where the batch began: another worker that was thought dead may have moved it. */
const MOVE = `
update retention_progress set position = $5, leftover_position = $6, worked_at = now(),
  done_through = coalesce($7::timestamptz, done_through)
where workspace_id = $1 and part = $2 and position = $3 and leftover_position = $4`;
