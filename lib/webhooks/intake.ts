// The hot path (docs/engine.md): requests that arrive while a batch is being written are written together in the next one. A
// request is answered after its commit.
import type { Queryable } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';
import { type Admission, type Arrival, startRuns } from '#lib/engine/store/start-runs.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { LARGE_BODY_BYTES } from './body.ts';

export type Intake = (arrival: Arrival) => Promise<Admission | undefined>;

const MAX_BATCH = 256;
/** Well below the maximum size of a statement's parameter. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
/** Large bodies are written a few at a time: each is copied twice on its way. */
const MAX_LARGE_BATCH_BYTES = 4 * 1024 * 1024;
/** One batch at a time: with two, batches are half as large and a request at 32 connections costs 40 % more. */
const LANES = 1;
/**
 * Runs that a worker continues cost less in larger batches, as each batch is one job, and its runs share the worker's statements
 * (docs/decisions/job-queue.md). Others are answered as fast as the database can.
 */
const GATHER_MS = 2;

/**
 * Creates the function that writes arrivals; it returns undefined for a token that was removed. Large bodies have a separate
 * lane, so that the others do not wait for them.
 */
export function createIntake(client: Queryable): Intake {
  const openLane = (maxWeight: number) =>
    new GroupCommit<Arrival, Admission | undefined>((batch) => write(client, batch), {
      maxBatch: MAX_BATCH,
      maxWeight,
      weigh,
      lanes: LANES,
      gatherMs: (batch) => (batch.some(isForWorker) ? GATHER_MS : 0),
    });
  const small = openLane(MAX_BATCH_BYTES);
  const large = openLane(MAX_LARGE_BATCH_BYTES);
  return (arrival) => (bodyBytes(arrival) > LARGE_BODY_BYTES ? large : small).add(arrival);
}

const isForWorker = ({ response }: Arrival): boolean => response !== undefined && !response.leg;

async function write(client: Queryable, batch: readonly Arrival[]): Promise<(Admission | undefined)[]> {
  const admissions = await startRuns(client, batch);
  telemetry.batch.tell({ size: batch.length });
  if (telemetry.run.isHeard || telemetry.firstLeg.isHeard)
    batch.forEach((arrival, place) => tellOfRun(arrival, admissions[place]));
  return admissions;
}

/** Publishes a run that starts or is joined, and its first leg. */
function tellOfRun({ eventId, kind, headers, response }: Arrival, admission: Admission | undefined): void {
  if (admission?.outcome !== 'triggered' && admission?.outcome !== 'collected') return;
  if (kind === 'notification')
    telemetry.event.tell({ event: { id: eventId, isReplay: false, headers }, origin: 'notification' });
  const leg = response?.leg;
  if (!leg || admission.outcome === 'collected' || admission.waitsForTurn) return;
  telemetry.firstLeg.tell({ leg });
  const { finishedAt, status, failure } = leg.change;
  if (finishedAt !== undefined && status) telemetry.run.tell({ status, failure });
}

/** Task runs of a first leg may repeat the body. */
const weigh = (arrival: Arrival): number =>
  bodyBytes(arrival) * (1 + (arrival.response?.leg?.taskRuns.length ?? 0));

const bodyBytes = ({ body }: Arrival): number => body?.byteLength ?? 0;
