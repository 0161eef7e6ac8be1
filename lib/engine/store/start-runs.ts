// Every request starts here (docs/engine.md): event, run and job of all requests of a batch in one statement, joined with the
// workflows' current state. A run whose first leg was executed is written with its task runs instead of a job.
import type { Queryable } from '#lib/core/db/client.ts';
import { type ColumnTypes, Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { EventKind } from '../event-types.ts';
import type { FirstLeg } from '../first-leg.ts';
import { addAdvanceJob } from './advance-job.ts';
import { insertTaskRuns, TaskRunColumns } from './task-run-columns.ts';

export interface Arrival {
  eventId: string;
  runId: string;
  tokenHash: Buffer;
  kind: EventKind;
  /** Of a notification: the connection that received it. */
  connectionId?: string | undefined;
  receivedAt: Date;
  headers: Record<string, string>;
  /** Null when it was too large. */
  body: Buffer | null;
  /** Why the body was refused; such an event starts nothing. */
  refusal: string | null;
  /** Prepared for the caller of a production URL; left out where no version was published, or no caller waits. */
  response?: PreparedFor | undefined;
}

export interface PreparedFor {
  /** The version that the response is from. A run of a production event executes no other. */
  version: number;
  /** Why the response cannot be sent; such an event starts nothing. */
  problem: string | null;
  /** The executed first leg of the run. */
  leg?: FirstLeg | undefined;
}

/** Outcome of a request. */
export type Admission =
  | { outcome: 'triggered' | 'rejected' | 'response_failed' }
  | { outcome: 'tested'; triggerTaskId: number }
  | { outcome: 'not_active'; isPublished: boolean }
  /** Another version is published by now. Nothing was written: prepare its response and try again. */
  | { outcome: 'outdated' };

/** Bodies and headers are sent in one binary parameter and cut by offsets: no escaping on either side. */
const ARRIVAL = {
  event_id: 'uuid',
  run_id: 'uuid',
  token_hash: 'bytea',
  kind: 'text',
  connection_id: 'uuid',
  received_at: 'timestamptz',
  headers_at: 'int',
  headers_bytes: 'int',
  body_at: 'int',
  body_bytes: 'int',
  refusal: 'text',
  response_version: 'int',
  response_problem: 'text',
} as const;
const ARRIVAL_WITH_LEG = {
  ...ARRIVAL,
  leg_status: 'text',
  leg_answer: 'text',
  leg_error: 'text',
  leg_started_at: 'timestamptz',
  leg_finished_at: 'timestamptz',
  leg_resume_at: 'timestamptz',
} as const;

/** @param types of `arrival`; the first parameter is the binary one */
const admit = (types: ColumnTypes): string => `
with arrival as (
  select * from ${unnest(types, 2)} with ordinality as t(${namesOf(types)}, place)
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
  insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, reason, received_at, headers, body, run_id)
  select event_id, workspace_id, workflow_id, connection_id, kind, outcome,
    case outcome when 'rejected' then refusal when 'response_failed' then response_problem when 'not_active' then
      case when published_version is null then 'The workflow is not published.' else 'The workflow is paused.' end end,
    received_at, convert_from(substring($1::bytea from headers_at for headers_bytes), 'UTF8')::json,
    case when body_bytes >= 0 then substring($1::bytea from body_at for body_bytes) end,
    case when outcome = 'triggered' then run_id end
  from admitted where outcome <> 'outdated'
)`;

const RUN_NAMES = 'id, workspace_id, workflow_id, version, event_id, awaited, created_at';
const RUN_VALUES = `run_id, workspace_id, workflow_id, published_version, event_id, answers_after_run,
    received_at`;
const ANSWER = 'place::int, outcome, trigger_task_id, published_version is not null as is_published';

const START = `${admit(ARRIVAL)}, new_runs as (
  insert into runs (${RUN_NAMES}) select ${RUN_VALUES} from admitted where outcome = 'triggered'
), jobs as (
  select ${addAdvanceJob('json_agg(run_id)')} as job
  from admitted where outcome = 'triggered' having count(*) > 0
)
select ${ANSWER}, (select count(job) from jobs) as jobs from admitted`;

/** Failed runs are recorded for alerts (lib/alerts). */
const NOTED = `, noted as (
  insert into failed_runs (run_id, workspace_id, workflow_id, failed_at)
  select run_id, workspace_id, workflow_id, coalesce(leg_finished_at, now())
  from admitted where outcome = 'triggered' and leg_status = 'failed'
)`;

/** A leg counts as the first take of its run: the worker that resumes it loads what the leg wrote. */
const startWithLegs = (noted: string) => `${admit(ARRIVAL_WITH_LEG)}${noted}, new_runs as (
  insert into runs (${RUN_NAMES}, status, epoch, answer, error, started_at, finished_at, resume_at)
  select ${RUN_VALUES}, coalesce(leg_status, 'queued'), (leg_status is not null)::int, leg_answer::json, leg_error::json,
    leg_started_at, leg_finished_at, leg_resume_at
  from admitted where outcome = 'triggered'
), new_task_runs as (
  ${insertTaskRuns(2 + Object.keys(ARRIVAL_WITH_LEG).length)}
  where (t.run_id in (select run_id from admitted where outcome = 'triggered')) is true
), jobs as (
  select ${addAdvanceJob('json_agg(run_id)')} as job
  from admitted where outcome = 'triggered' and leg_status is null having count(*) > 0
), timers as (
  select ${addAdvanceJob('json_build_array(run_id)', 'leg_resume_at')} as job
  from admitted where outcome = 'triggered' and leg_resume_at is not null
)
select ${ANSWER}, (select count(job) from jobs) + (select count(job) from timers) as jobs from admitted`;

const START_WITH_LEGS = { name: 'start_runs_with_legs', text: startWithLegs('') };
const START_WITH_FAILED_LEGS = { name: 'start_runs_with_failed_legs', text: startWithLegs(NOTED) };

interface AdmissionRow {
  place: number;
  outcome: Admission['outcome'];
  trigger_task_id: number;
  is_published: boolean;
}

/** Writes a batch; returns each request's outcome, in order: undefined for a token that is unknown by now. */
export async function startRuns(
  client: Queryable,
  batch: readonly Arrival[],
): Promise<(Admission | undefined)[]> {
  const blob = new BlobWriter();
  const hasLegs = batch.some(({ response }) => response?.leg);
  const hasFailures = hasLegs && batch.some(({ response }) => response?.leg?.change.status === 'failed');
  const columns = new Columns(hasLegs ? ARRIVAL_WITH_LEG : ARRIVAL);
  const taskRuns = new TaskRunColumns();
  for (const arrival of batch) {
    const { response } = arrival;
    const headers = blob.add(Buffer.from(JSON.stringify(arrival.headers)));
    const body = blob.add(arrival.body);
    columns.add([
      arrival.eventId,
      arrival.runId,
      arrival.tokenHash,
      arrival.kind,
      arrival.connectionId,
      arrival.receivedAt.getTime(),
      ...headers,
      ...body,
      arrival.refusal,
      response?.version,
      response?.problem,
      ...toLegRow(response?.leg),
    ]);
    for (const taskRun of response?.leg?.taskRuns ?? []) {
      const items = taskRun.loop?.items;
      taskRuns.add(arrival.runId, taskRun, items ? stringifyJson(items) : null);
    }
  }
  const { rows } = await client.query<AdmissionRow>(
    hasLegs
      ? {
          ...(hasFailures ? START_WITH_FAILED_LEGS : START_WITH_LEGS),
          values: [blob.toBuffer(), ...columns.parameters, ...taskRuns.parameters],
        }
      : { name: 'start_runs', text: START, values: [blob.toBuffer(), ...columns.parameters] },
  );
  const admissions: (Admission | undefined)[] = Array.from({ length: batch.length });
  for (const row of rows) admissions[row.place - 1] = toAdmission(row);
  return admissions;
}

function toLegRow(leg: FirstLeg | undefined): (string | number | undefined)[] {
  if (!leg) return [];
  const { status, answer, error, finishedAt, resumeAt } = leg.change;
  const [answerText, errorText] = [answer, error].map((value) => value && JSON.stringify(value));
  return [status, answerText, errorText, leg.startedAt, finishedAt, resumeAt];
}

function toAdmission({ outcome, trigger_task_id, is_published }: AdmissionRow): Admission {
  if (outcome === 'tested') return { outcome, triggerTaskId: trigger_task_id };
  if (outcome === 'not_active') return { outcome, isPublished: is_published };
  return { outcome };
}

class BlobWriter {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  /** @returns its offset, from 1, and its length; -1 for nothing */
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
