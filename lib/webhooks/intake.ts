// The hot path (docs/engine.md): event, run and job of all requests that arrived while the previous batch was being
// written, in one statement, joined against the workflows' current state. A request is answered after its commit.
import type { Pool } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';
import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import { LARGE_BODY_BYTES } from './body.ts';

export interface Arrival {
  eventId: string;
  runId: string;
  tokenHash: Buffer;
  kind: EventKind;
  receivedAt: Date;
  headers: Record<string, string>;
  /** Null when it was too large. */
  body: Buffer | null;
  /** Why the body was refused; such an event starts nothing. */
  refusal: string | null;
  /** What was prepared for the caller before anything is written; left out where nobody waits for a response. */
  response?: PreparedFor;
}

export interface PreparedFor {
  /** The version whose trigger promises the response; null when none was published. */
  version: number | null;
  /** Why the response cannot be sent; such an event starts nothing. */
  problem: string | null;
}

export interface Admission {
  /** `outdated`: another version is published by now. Nothing was written: prepare its response and try again. */
  outcome: EventOutcome | 'outdated';
  workflowId: string;
  workspaceId: string;
  /** The version that the run executes; null when the workflow is not published. */
  version: number | null;
  triggerTaskId: number;
  /** Why the workflow did not run, when it did not. */
  isPublished: boolean;
}

/** Bodies and headers travel in one binary parameter and are cut out by place: no escaping on either side. */
const INTAKE = `
with arrival as (
  select * from unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::text[], $6::float8[], $7::int[], $8::int[], $9::int[], $10::int[],
    $11::text[], $12::int[], $13::text[]) with ordinality
    as t(event_id, run_id, token_hash, kind, received_at, headers_at, headers_bytes, body_at, body_bytes, refusal,
      response_version, response_problem, place)
), admitted as (
  select a.*, w.id as workflow_id, w.workspace_id, w.published_version, w.trigger_task_id, w.answers_after_run,
    case when a.refusal is not null then 'rejected'
      when a.kind = 'test' then 'tested'
      when w.published_version is null or not w.active then 'not_active'
      when w.published_version <> a.response_version then 'outdated'
      when a.response_problem is not null then 'response_failed'
      else 'triggered' end as outcome
  from arrival a
  join webhook_tokens k on k.token_hash = a.token_hash and (k.expires_at is null or k.expires_at > now())
  join workflows w on w.id = k.workflow_id and w.deleted_at is null
), new_events as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, reason, received_at, headers, body, run_id)
  select event_id, workspace_id, workflow_id, kind, outcome,
    case outcome when 'rejected' then refusal when 'response_failed' then response_problem when 'not_active' then
      case when published_version is null then 'The workflow is not published.' else 'The workflow is paused.' end end,
    to_timestamp(received_at / 1000.0), convert_from(substring($1::bytea from headers_at for headers_bytes), 'UTF8')::json,
    case when body_bytes >= 0 then substring($1::bytea from body_at for body_bytes) end,
    case when outcome = 'triggered' then run_id end
  from admitted where outcome <> 'outdated'
), new_runs as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, awaited, created_at)
  select run_id, workspace_id, workflow_id, published_version, event_id, answers_after_run, to_timestamp(received_at / 1000.0)
  from admitted where outcome = 'triggered'
), jobs as (
  select graphile_worker.add_job('advance', json_build_object('run_ids', json_agg(run_id))) as job
  from admitted where outcome = 'triggered' having count(*) > 0
)
select place::int, outcome, workflow_id, workspace_id, published_version, trigger_task_id,
  (select count(job) from jobs) as jobs
from admitted`;

interface AdmissionRow {
  place: number;
  outcome: Admission['outcome'];
  workflow_id: string;
  workspace_id: string;
  published_version: number | null;
  trigger_task_id: number;
}

export type Intake = (arrival: Arrival) => Promise<Admission | undefined>;

/** Stands for "no version was published": versions start at 1, and null means that no response was prepared. */
const NO_VERSION = 0;

const MAX_BATCH = 256;
/** A batch's bodies stay well below what one parameter of a statement may hold. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
/** Large bodies are written a few at a time: each is copied twice on its way. */
const MAX_LARGE_BATCH_BYTES = 4 * 1024 * 1024;
/** One batch at a time: with two, batches are half as large and a request at 32 connections costs 40 % more. */
const LANES = 1;

/**
 * Gives the function that writes arrivals; it answers undefined for a token that is not known (any more). Large bodies
 * have a lane of their own, so that the others do not wait until they are written.
 */
export function createIntake(pool: Pool): Intake {
  const openLane = (maxWeight: number) =>
    new GroupCommit<Arrival, Admission | undefined>((batch) => writeArrivals(pool, batch), {
      maxBatch: MAX_BATCH,
      maxWeight,
      weigh: bodyBytes,
      lanes: LANES,
    });
  const small = openLane(MAX_BATCH_BYTES);
  const large = openLane(MAX_LARGE_BATCH_BYTES);
  return (arrival) => (bodyBytes(arrival) > LARGE_BODY_BYTES ? large : small).add(arrival);
}

const bodyBytes = ({ body }: Arrival): number => body?.byteLength ?? 0;

async function writeArrivals(pool: Pool, batch: Arrival[]): Promise<(Admission | undefined)[]> {
  const blob = new BlobWriter();
  const columns: unknown[][] = Array.from({ length: 12 }, () => []);
  for (const arrival of batch) {
    const headers = blob.add(Buffer.from(JSON.stringify(arrival.headers)));
    const body = blob.add(arrival.body);
    const row = [
      arrival.eventId,
      arrival.runId,
      arrival.tokenHash,
      arrival.kind,
      arrival.receivedAt.getTime(),
      ...headers,
      ...body,
      arrival.refusal,
      arrival.response ? (arrival.response.version ?? NO_VERSION) : null,
      arrival.response?.problem,
    ];
    row.forEach((value, index) => columns[index]?.push(value));
  }
  const values = [blob.toBuffer(), ...columns];
  const { rows } = await pool.query<AdmissionRow>({ name: 'intake', text: INTAKE, values });
  const admissions: (Admission | undefined)[] = Array.from({ length: batch.length });
  for (const row of rows) admissions[row.place - 1] = toAdmission(row);
  return admissions;
}

const toAdmission = (row: AdmissionRow): Admission => ({
  outcome: row.outcome,
  workflowId: row.workflow_id,
  workspaceId: row.workspace_id,
  version: row.published_version,
  triggerTaskId: row.trigger_task_id,
  isPublished: row.published_version !== null,
});

class BlobWriter {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  /** @returns where it starts, from 1, and its length; -1 for nothing. */
  add(part: Buffer | null): [number, number] {
    if (part === null) return [1, -1];
    const start = this.#bytes + 1;
    this.#parts.push(part);
    this.#bytes += part.byteLength;
    return [start, part.byteLength];
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts, this.#bytes);
  }
}
