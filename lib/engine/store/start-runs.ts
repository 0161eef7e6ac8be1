// Every request starts here (docs/engine.md): event, run and job of all requests of a batch in one statement, joined with the
// workflows' current state. A run whose first leg was executed is written with its task runs instead of a job.
import type { Queryable } from '#lib/core/db/client.ts';
import { Columns } from '#lib/core/db/columns.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { KeptAnswer } from '../engine-deps.ts';
import type { EventKind } from '../event-types.ts';
import type { FirstLeg } from '../first-leg.ts';
import {
  PRUNE_KEYS,
  START_BY_KEYS,
  START_BY_KEYS_IN_LINES,
  START_IN_BURSTS,
  START_IN_LINES,
  START_RUNS,
  type StartStatement,
  START_WITH_FAILED_LEGS,
  START_WITH_LEGS,
} from './start-statements.ts';
import type { BurstOfWebhook } from './bursts.ts';
import { addSearchKeys, isKeyed } from './search-keys.ts';
import { TaskRunColumns } from './task-run-columns.ts';

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
  /** The line of its run (`toLine`); left out: it waits for no other run. */
  line?: string | undefined;
  /** Left out: it starts a run at once. */
  burst?: BurstOfWebhook | undefined;
  /** By which it is found (`toSearchKey`). */
  searchKey?: string | undefined;
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
  /** Of a trigger that recognizes copies. */
  key?: (EventKey & { answer: KeptAnswer | null }) | undefined;
}

/** Identifies an event: requests of a workflow with the same key have one run. */
export interface EventKey {
  hash: Buffer;
  bodyHash: Buffer;
}

/** The request that used a key first. */
export interface FirstWithKey {
  eventId: string;
  runId: string;
  /** Its response; null while its run has none. */
  answer: KeptAnswer | null;
}

/** Outcome of a request. */
export type Admission =
  /** `waitsForTurn`: others are before it in its line, or its burst waits for quiet; its first leg was not written. */
  | { outcome: 'triggered'; waitsForTurn: boolean }
  /** It belongs to a burst that an earlier webhook opened, whose run this is. */
  | { outcome: 'collected'; runId: string }
  | { outcome: 'rejected' | 'response_failed' }
  | { outcome: 'tested'; triggerTaskId: number }
  | { outcome: 'not_active'; isPublished: boolean }
  | { outcome: 'duplicate'; first: FirstWithKey }
  /** Its key was used for another body. */
  | { outcome: 'key_reused'; problem: string }
  /** Another version is published by now. Nothing was written: prepare its response and try again. */
  | { outcome: 'outdated' };

interface AdmissionRow {
  place: number;
  /** `gated`: nothing was written, as the statement knows no lines. */
  outcome: Exclude<Admission['outcome'], 'key_reused'> | 'gated';
  trigger_task_id: number;
  is_published: boolean;
  duplicate_of?: string | null;
  first_run_id?: string | null;
  first_answer?: KeptAnswer | null;
  refusal?: string | null;
  has_turn?: boolean;
  run_id?: string;
}

/** Writes a batch; returns each request's outcome, in order: undefined for a token that is unknown by now. */
export async function startRuns(
  client: Queryable,
  batch: readonly Arrival[],
): Promise<(Admission | undefined)[]> {
  const keyed = batch.filter(isKeyed);
  if (keyed.length > 0) await addSearchKeys(client, keyed);
  const rows = await write(client, batch, statementFor(batch));
  const admissions: (Admission | undefined)[] = Array.from({ length: batch.length });
  const gated: number[] = [];
  for (const row of rows) {
    if (row.outcome === 'gated') gated.push(row.place - 1);
    else admissions[row.place - 1] = toAdmission(row, row.outcome);
  }
  if (gated.length > 0) await startAtGate(client, batch, gated.toSorted(byNumber), admissions);
  return admissions;
}

const byNumber = (a: number, b: number): number => a - b;

/** Writes requests to workflows with a gate (docs/engine.md, "Gates"), in their order. */
async function startAtGate(
  client: Queryable,
  batch: readonly Arrival[],
  places: readonly number[],
  admissions: (Admission | undefined)[],
): Promise<void> {
  const entering = places.flatMap((place) => batch[place] ?? []);
  const isLeft = entering.map(({ response }) => Boolean(response?.key && response.leg?.change.answer));
  const arrivals = entering.map((arrival, index) => (isLeft[index] ? withoutLeg(arrival) : arrival));
  const statement = inLines(arrivals);
  for (const row of await write(client, arrivals, statement)) {
    const index = row.place - 1;
    if (row.outcome === 'gated') throw new Error('A statement that knows gates refused a run for its gate.');
    const admission = toAdmission(row, row.outcome);
    const waits = admission.outcome === 'triggered' && isLeft[index] === true;
    admissions[places[index] ?? 0] = waits ? { outcome: 'triggered', waitsForTurn: true } : admission;
  }
}

/** Its key must not be claimed with the answer of a leg that may not be written: the run renders it. */
function withoutLeg(arrival: Arrival): Arrival {
  const { leg: _, key, ...response } = arrival.response as PreparedFor;
  return { ...arrival, response: { ...response, key: key && { ...key, answer: null } } };
}

async function write(
  client: Queryable,
  batch: readonly Arrival[],
  { name, text, types, hasLegs, hasKeys, hasLines }: StartStatement,
): Promise<AdmissionRow[]> {
  const blob = new BlobWriter();
  const columns = new Columns(types);
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
      ...(hasKeys ? toKeyRow(response?.key) : NOTHING),
      ...toLegRow(response?.leg, hasLines),
      arrival.line,
      arrival.burst?.key,
      arrival.burst?.quietMs,
    ]);
    for (const taskRun of response?.leg?.taskRuns ?? []) {
      const items = taskRun.loop?.items;
      taskRuns.add(arrival.runId, taskRun, items ? stringifyJson(items) : null);
    }
  }
  const { rows } = await client.query<AdmissionRow>({
    name,
    text,
    values: [blob.toBuffer(), ...columns.parameters, ...(hasLegs ? taskRuns.parameters : [])],
  });
  return rows;
}

/** Deletes keys of webhooks that are not recognized any more. */
export async function pruneWebhookKeys(pool: Queryable): Promise<void> {
  await pool.query(PRUNE_KEYS);
}

function statementFor(batch: readonly Arrival[]): StartStatement {
  if (batch.some(({ line, burst }) => line !== undefined || burst)) return inLines(batch);
  if (batch.some(({ response }) => response?.key)) return START_BY_KEYS;
  if (!batch.some(({ response }) => response?.leg)) return START_RUNS;
  const hasFailures = batch.some(({ response }) => response?.leg?.change.status === 'failed');
  return hasFailures ? START_WITH_FAILED_LEGS : START_WITH_LEGS;
}

/** Of those that know lines. */
function inLines(batch: readonly Arrival[]): StartStatement {
  if (batch.some(({ burst }) => burst)) return START_IN_BURSTS;
  return batch.some(({ response }) => response?.key) ? START_BY_KEYS_IN_LINES : START_IN_LINES;
}

const NOTHING: readonly undefined[] = [];

const toKeyRow = (key: PreparedFor['key']): (Buffer | string | null | undefined)[] => [
  key?.hash,
  key?.bodyHash,
  key?.answer && JSON.stringify(key.answer),
];

const NO_LEG: readonly undefined[] = Array.from({ length: 6 });

/** @param isFilled a row without a leg has all of its columns */
function toLegRow(leg: FirstLeg | undefined, isFilled = false): readonly (string | number | undefined)[] {
  if (!leg) return isFilled ? NO_LEG : NOTHING;
  const { status, answer, error, finishedAt, resumeAt } = leg.change;
  const [answerText, errorText] = [answer, error].map((value) => value && JSON.stringify(value));
  return [status, answerText, errorText, leg.startedAt, finishedAt, resumeAt];
}

function toAdmission(row: AdmissionRow, outcome: Exclude<AdmissionRow['outcome'], 'gated'>): Admission {
  const { trigger_task_id, is_published, duplicate_of: eventId, first_run_id: runId } = row;
  if (outcome === 'duplicate')
    return {
      outcome,
      first: { eventId: eventId ?? '', runId: runId ?? '', answer: row.first_answer ?? null },
    };
  if (outcome === 'rejected' && eventId) return { outcome: 'key_reused', problem: row.refusal ?? '' };
  if (outcome === 'tested') return { outcome, triggerTaskId: trigger_task_id };
  if (outcome === 'not_active') return { outcome, isPublished: is_published };
  if (outcome === 'collected') return { outcome, runId: row.run_id ?? '' };
  if (outcome === 'triggered') return { outcome, waitsForTurn: row.has_turn === false };
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
