// Every request starts here (docs/engine.md): event, run and job of all requests of a batch in one statement, joined
// against the workflows' current state.
import type { Pool } from '#lib/core/db/client.ts';
import type { EventKind } from '../event-types.ts';
import { addAdvanceJob } from './advance-job.ts';

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
  /** What was prepared for the caller of a production URL; left out where none was published, or nobody waits. */
  response?: PreparedFor | undefined;
}

export interface PreparedFor {
  /** The version whose trigger promises the response. A run of a production event executes no other. */
  version: number;
  /** Why the response cannot be sent; such an event starts nothing. */
  problem: string | null;
}

/** What a request came to. */
export type Admission =
  | { outcome: 'triggered' | 'rejected' | 'response_failed' }
  | { outcome: 'tested'; triggerTaskId: number }
  | { outcome: 'not_active'; isPublished: boolean }
  /** Another version is published by now. Nothing was written: prepare its response and try again. */
  | { outcome: 'outdated' };

/** What runs are started from: the part of a pool, or of a transaction's client, that executes a statement. */
export type Statements = Pick<Pool, 'query'>;

/** Bodies and headers travel in one binary parameter and are cut out by place: no escaping on either side. */
const START = `
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
      when a.kind = 'production' and w.published_version is distinct from a.response_version then 'outdated'
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
  select ${addAdvanceJob('json_agg(run_id)')} as job
  from admitted where outcome = 'triggered' having count(*) > 0
)
select place::int, outcome, trigger_task_id, published_version is not null as is_published,
  (select count(job) from jobs) as jobs
from admitted`;

interface AdmissionRow {
  place: number;
  outcome: Admission['outcome'];
  trigger_task_id: number;
  is_published: boolean;
}

/** Writes a batch; answers what each came to, in order: undefined for a token that is not known (any more). */
export async function startRuns(
  client: Statements,
  batch: readonly Arrival[],
): Promise<(Admission | undefined)[]> {
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
      arrival.response?.version,
      arrival.response?.problem,
    ];
    row.forEach((value, index) => columns[index]?.push(value));
  }
  const values = [blob.toBuffer(), ...columns];
  const { rows } = await client.query<AdmissionRow>({ name: 'start_runs', text: START, values });
  const admissions: (Admission | undefined)[] = Array.from({ length: batch.length });
  for (const row of rows) admissions[row.place - 1] = toAdmission(row);
  return admissions;
}

function toAdmission({ outcome, trigger_task_id, is_published }: AdmissionRow): Admission {
  if (outcome === 'tested') return { outcome, triggerTaskId: trigger_task_id };
  if (outcome === 'not_active') return { outcome, isPublished: is_published };
  return { outcome };
}

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
