// Bursts: webhooks that become one run, which starts when no further one has arrived for a while (docs/engine.md, "Bursts"). The functions of
// drizzle/0073_webhook_bursts.sql lock a burst before they read it: within a transaction after the locks of runs, and before those of lines.
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { queueJob, RUNS } from '#lib/core/queue/job-table.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { CompiledGraph } from '../graph.ts';
import { addAdvanceJob } from './advance-job.ts';
import { toLine } from './run-lines.ts';

/** The burst that a webhook belongs to. */
export interface BurstOfWebhook {
  key: string;
  /** How long no further one may arrive before its run starts. */
  quietMs: number;
}

/** The key of a workflow's webhooks that have this value in common, made like those of lines and different from them. */
export const toBurstKey = (workflowId: string, value: string): string =>
  toLine(workflowId, JSON.stringify(['burst', value]));

/** The queue's job that starts the run of a burst. */
export const BURST_TASK = 'start_burst';
export const burstPayload = z.object({ run_id: z.uuid() });

const addBurstJob = queueJob(
  { task: BURST_TASK, lane: RUNS },
  `json_build_object('run_id', run_id)`,
  'starts_at',
);

/**
 * CTEs that add the webhooks which would start a run to their bursts. Those that do not open one are `collected`, with the burst's run as
 * theirs. Such a run enters its line when it starts; one that has no line gets its own id. Copies of a collected webhook get the response of
 * that run.
 * @param from rows with keys and lines decided, as `d` in `columns`, which are taken over
 * @param name of the result
 */
export const enterBursts = (
  from: string,
  name: string,
  columns: string,
): string => `, collected as materialized (
  select c.event_id, c.run_id, c.starts_at from (
    select array_agg(event_id order by place) as events, array_agg(run_id order by place) as runs,
      array_agg(workflow_id order by place) as workflows, array_agg(published_version order by place) as versions,
      array_agg(burst order by place) as bursts, array_agg(quiet_ms order by place) as quiets,
      array_agg(greatest(body_bytes, 0) order by place) as sizes
    from ${from} where outcome = 'triggered' and burst is not null having count(*) > 0
  ) a cross join lateral collect_webhooks(a.events, a.runs, a.workflows, a.versions, a.bursts, a.quiets, a.sizes) c
), burst_jobs as (
  select ${addBurstJob} as job from collected where starts_at is not null
), ${name} as (
  select ${columns}, coalesce(c.run_id, d.run_id) as run_id, c.run_id is not null as is_in_burst,
    case when c.run_id is null or d.line <> d.workflow_id then d.line else d.run_id end as line,
    case when c.run_id <> d.run_id then 'collected' else d.outcome end as outcome,
    case when d.duplicate_of is not null then coalesce(
      (select e.run_id from events e where e.id = d.duplicate_of),
      (select f.run_id from collected f where f.event_id = d.duplicate_of), d.first_run_id
    ) end as first_run_id
  from ${from} d left join collected c on c.event_id = d.event_id
)`;

const START = `
select (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as "waitsMs",
  case when has_turn then ${addAdvanceJob('json_build_array($1::uuid)')} end as job
from start_burst($1)`;

/**
 * Starts the run of a burst, unless it has started or ended; a repeated job finds that it has.
 * @returns after how many milliseconds it is due, of a burst that received webhooks since; undefined: it waits no longer
 */
export async function startBurst(client: Queryable, runId: string): Promise<number | undefined> {
  const { rows } = await client.query<{ waitsMs: number | null }>({
    name: 'start_burst',
    text: START,
    values: [runId],
  });
  const waitsMs = rows[0]?.waitsMs;
  return typeof waitsMs === 'number' ? Math.max(1, Math.ceil(waitsMs)) : undefined;
}

/** Ends the wait of the burst of a cancelled run, which is locked: later webhooks open another. */
export async function leaveBurst(tx: Transaction, runId: string): Promise<void> {
  await tx.execute(sql`select leave_burst(${runId}::uuid)`);
}

/** Locks the bursts of a workflow before runs of it are cancelled one by one, so that all locks of bursts have one order. */
export async function lockBursts(tx: Transaction, workflowId: string): Promise<void> {
  await tx.execute(
    sql`select lock_lines(array(select key from webhook_bursts where workflow_id = ${workflowId}::uuid))`,
  );
}

const reading = new WeakMap<CompiledGraph, boolean>();

/** Whether a task may use the list of webhooks: for other runs it is not read. */
function readsWebhooks(graph: CompiledGraph): boolean {
  let reads = reading.get(graph);
  if (reads === undefined) {
    reads = [...graph.nodes.values()].some(({ task }) => JSON.stringify(task.settings).includes('WEBHOOKS'));
    reading.set(graph, reads);
  }
  return reads;
}

const EVENTS = `
select b.event_id as id from events e join burst_events b on b.run_id = e.run_id where e.id = $1 order by b.place`;

/** The events of the burst to which the event of a run belongs, in the order of their arrival; empty: it belongs to none. */
export async function listBurstEvents(client: Queryable, eventId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(EVENTS, [eventId]);
  return rows.map(({ id }) => id);
}

/** Of the run's event, so that runs which were started for it again have the same. Removed bodies are left out. */
const WEBHOOKS = `
select convert_from(w.body, 'UTF8') as body
from events e join burst_events b on b.run_id = e.run_id join events w on w.id = b.event_id
where e.id = $1 and w.body is not null order by b.place`;

/**
 * The bodies of the webhooks of a run's burst, in the order of their arrival.
 * @returns undefined where the run has none, or no task of it uses them
 */
export async function loadWebhooks(
  pool: Pool,
  eventId: string,
  graph: CompiledGraph,
): Promise<JsonValue[] | undefined> {
  if (!readsWebhooks(graph)) return undefined;
  const { rows } = await pool.query<{ body: string }>({
    name: 'load_webhooks',
    text: WEBHOOKS,
    values: [eventId],
  });
  return rows.length > 0 ? rows.map(({ body }) => parseJson(body)) : undefined;
}
