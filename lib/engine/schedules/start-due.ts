// Starts the workflows whose schedules are due. A time of a schedule has exactly one event: a transaction locks the schedule's row,
// writes event, run and job, and sets its next time. One that does not commit wrote none of them.
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { latestTick, nextTick } from '#lib/core/time/cron.ts';
import { RECURRING_INTERVALS_MS } from '../queue/recurring.ts';
import { type ScheduleStart, type Tick, toTick } from '../schedule-start.ts';
import { setNext, ZONE } from './schedules.ts';
import { type Arrival, startRuns } from '../store/start-runs.ts';

const MAX_AT_ONCE = 100;
/** A row that is due may be locked by a change of its schedule. */
const SHORTEST_PAUSE_MS = 100;
/** A start that is later is late: it was missed. */
const LATE_AFTER_MS = 60_000;

const CLAIM = `
select s.workflow_id, s.cron, s.when_missed, s.next_at, ${ZONE} as zone, k.token_hash, now() as now
from schedules s
join webhook_tokens k on k.workflow_id = s.workflow_id and k.expires_at is null
left join workspace_times t on t.workspace_id = s.workspace_id
where s.next_at <= now() order by s.next_at limit ${MAX_AT_ONCE} for update of s skip locked`;

const NEXT_DUE = `
select extract(epoch from min(next_at) - clock_timestamp())::float8 * 1000 as "inMs" from schedules where next_at is not null`;

interface DueRow {
  workflow_id: string;
  cron: string;
  when_missed: ScheduleStart['whenMissed'];
  next_at: Date;
  zone: string;
  token_hash: Buffer;
  now: Date;
}

/**
 * Starts what is due.
 * @param report gets a schedule whose next time cannot be computed; it stops, and delays no other one
 * @returns milliseconds until the next time of any schedule; undefined: it is after the job's interval, or there is none
 */
export async function startDue(
  pool: Pool,
  report: (workflowId: string, error: unknown) => void,
): Promise<number | undefined> {
  let claimed: number;
  do claimed = await inTransaction(pool, (client) => startBatch(client, report));
  while (claimed === MAX_AT_ONCE);
  const { rows } = await pool.query<{ inMs: number | null }>({ name: 'next_tick', text: NEXT_DUE });
  const inMs = rows[0]?.inMs ?? Infinity;
  return inMs < RECURRING_INTERVALS_MS.schedules ? Math.max(inMs, SHORTEST_PAUSE_MS) : undefined;
}

async function startBatch(
  client: Queryable,
  report: (workflowId: string, error: unknown) => void,
): Promise<number> {
  const { rows } = await client.query<DueRow>({ name: 'claim_ticks', text: CLAIM });
  if (rows.length === 0) return 0;
  const starting: Start[] = [];
  const next = rows.map((row) => {
    const id = row.workflow_id;
    try {
      const nextAt = nextTick(row.cron, row.zone, row.now) ?? null;
      starting.push(...toStarts(row));
      return { id, nextAt };
    } catch (error) {
      report(id, error);
      return { id, nextAt: null };
    }
  });
  await startTicks(client, starting);
  await setNext(client, next);
  return rows.length;
}

/** The start for the latest time that is due, or none where it was missed and is left out. */
function toStarts(row: DueRow): Start[] {
  const { next_at: first, zone, now } = row;
  const at = latestTick(row.cron, zone, { first, now });
  const isLate = now.getTime() - at.getTime() > LATE_AFTER_MS;
  if (isLate && row.when_missed === 'skip') return [];
  const missedSince = at > first && row.when_missed === 'once' ? first : undefined;
  const tick = toTick({ at, zone, isLate, missedSince });
  return [{ tokenHash: row.token_hash, tick, receivedAt: now }];
}

interface Start {
  /** Of the workflow. */
  tokenHash: Buffer;
  tick: Tick;
  receivedAt: Date;
}

/**
 * Starts workflows with times of their schedules.
 * @returns the event and the run of each; undefined: none started, as the workflow was paused or deleted concurrently
 */
export async function startTicks(
  client: Queryable,
  starts: readonly Start[],
): Promise<({ eventId: string; runId: string } | undefined)[]> {
  const arrivals = starts.map(({ tokenHash, tick, receivedAt }): Arrival => ({
    eventId: newId(),
    runId: newId(),
    tokenHash,
    kind: 'schedule',
    receivedAt,
    headers: {},
    body: Buffer.from(JSON.stringify(tick)),
    refusal: null,
  }));
  const admissions = await startRuns(client, arrivals);
  return arrivals.map(({ eventId, runId }, index) =>
    admissions[index]?.outcome === 'triggered' ? { eventId, runId } : undefined,
  );
}
