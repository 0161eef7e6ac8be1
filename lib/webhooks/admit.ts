import type { AppError } from '#lib/core/errors.ts';
import type { KeptAnswer } from '#lib/engine/engine-deps.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import type { ExecuteFirstLeg } from '#lib/engine/first-leg.ts';
import type { Arrival, FirstWithKey, PreparedFor } from '#lib/engine/store/start-runs.ts';
import { triggerOf, type TriggerSettings } from './trigger-settings.ts';
import { type CalledTrigger, unknownWebhook } from './called-trigger.ts';
import { readEventKey } from './duplicates/event-key.ts';
import { findMarks, type RunMarks } from './find-line.ts';
import type { Intake } from './intake.ts';
import type { ObjectBody } from './object-body.ts';
import type { PreparedResponse } from './render-response.ts';
import type { KnownToken } from './tokens.ts';

/** Each failed attempt means that a version was published within the few milliseconds since the previous one. */
const MAX_TRIES = 5;
/** Larger bodies are left to the workers: each task may write a copy. */
const MAX_LEG_BODY_BYTES = 64 * 1024;

/** The response for the caller: the workflow does not run now, or the prepared one. */
export type Admitted =
  | (PreparedResponse & Ran)
  | { kind: 'not_active'; isPublished: boolean }
  /** A copy of an event that started a run. */
  | { kind: 'duplicate'; first: FirstWithKey; whileRunning: TriggerSettings['duplicate_while_running'] }
  /** Its key was used for another body; its event is stored. */
  | { kind: 'key_reused'; problem: string }
  /** By the rules of a version that was published while the request was received. */
  | { kind: 'refused'; refusal: AppError };

export interface AdmitDeps {
  loadGraph: (workflowId: string, version: number) => Promise<CompiledGraph>;
  intake: Intake;
  /** Left out: all runs are left to the workers. */
  executeFirstLeg?: ExecuteFirstLeg | undefined;
}

/**
 * Writes the event of a production request together with its caller's response: it is the response of the version that the run
 * executes.
 * @param contents what copies of the request have in common; left out: the bytes of its body
 * @throws AppError `unknown_webhook` for a token that was removed in the meantime
 */
export async function admit(
  arrival: Arrival,
  object: ObjectBody,
  trigger: CalledTrigger,
  deps: AdmitDeps,
  contents?: () => Uint8Array,
): Promise<Admitted> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const prepared = await prepare(arrival, object, trigger.token, deps, contents);
    const admission = await deps.intake(
      prepared ? { ...arrival, ...prepared.marks, response: prepared.stored } : arrival,
    );
    if (!admission) throw unknownWebhook();
    if (admission.outcome === 'not_active') return { kind: 'not_active', isPublished: admission.isPublished };
    if (admission.outcome === 'key_reused') return { kind: 'key_reused', problem: admission.problem };
    if (admission.outcome !== 'outdated' && prepared) {
      if (admission.outcome === 'duplicate')
        return { kind: 'duplicate', first: admission.first, whileRunning: prepared.whileRunning };
      if (admission.outcome === 'collected') return { ...prepared.promised, runId: admission.runId };
      // Its leg was not written: the run renders the response when it has its turn.
      const isLeft = admission.outcome === 'triggered' && admission.waitsForTurn;
      return isLeft ? prepared.promised : prepared.response;
    }
    await trigger.readAgain();
    const refusal = await trigger.checkByPresentRules();
    if (refusal) return { kind: 'refused', refusal };
  }
  throw new Error(`Another version was published before each of ${MAX_TRIES} tries.`);
}

interface Prepared {
  stored: PreparedFor;
  marks: RunMarks;
  /** With the result of the first leg. */
  response: PreparedResponse & Ran;
  /** Without the first leg. */
  promised: PreparedResponse;
  whileRunning: TriggerSettings['duplicate_while_running'];
}

interface Ran {
  /** The run of its burst, which an earlier request opened. */
  runId?: string;
  /** Rendered from the workflow's result. */
  isOutput?: boolean;
}

/** Undefined where no version is published. */
async function prepare(
  arrival: Arrival,
  object: ObjectBody,
  known: KnownToken,
  { loadGraph, executeFirstLeg }: AdmitDeps,
  contents: (() => Uint8Array) | undefined,
): Promise<Prepared | undefined> {
  const { workflowId, publishedVersion: version } = known;
  if (version === null) return undefined;
  const { eventId, headers, receivedAt, runId } = arrival;
  const graph = await loadGraph(workflowId, version);
  const trigger = triggerOf(graph);
  const { zone } = known;
  const received = { headers, receivedAt, zone };
  const response = await object.prepareResponse(trigger, received);
  const problem = response.kind === 'failed' ? response.error.message : null;
  const stored: PreparedFor = { version, problem };
  const marks = await findMarks(workflowId, graph, object, received);
  const whileRunning = trigger.settings.duplicate_while_running;
  const prepared: Prepared = { stored, marks, response, promised: response, whileRunning };
  if (trigger.keySource) {
    const request = { headers, object, contents: contents ?? (() => arrival.body ?? EMPTY) };
    const key = await readEventKey(trigger.keySource, request);
    stored.key = key && { ...key, answer: toKept(response) };
  }
  if (problem !== null) return prepared;
  const bytes = arrival.body?.byteLength ?? 0;
  if (!executeFirstLeg || !object.value || bytes > MAX_LEG_BODY_BYTES || marks.burst) return prepared;
  const awaitsAnswer = response.kind === 'after_workflow';
  // Its key would be claimed with the answer of a leg that may not be written.
  if (marks.line !== undefined && stored.key && awaitsAnswer) return prepared;
  const { workspaceId } = known;
  const event = { id: eventId, isReplay: false, body: object.value, headers };
  stored.leg = executeFirstLeg(
    { id: runId, epoch: 1, workspaceId, workflowId, version, awaitsAnswer, zone, event },
    graph,
  );
  const answer = stored.leg?.change.answer;
  if (!answer) return prepared;
  if (stored.key) stored.key.answer = answer;
  return { ...prepared, response: { kind: 'body', ...answer, isOutput: true } };
}

const EMPTY = new Uint8Array();

/** What copies get; null where the run renders it. */
function toKept(response: PreparedResponse): KeptAnswer | null {
  if (response.kind === 'redirect') return { location: response.location };
  if (response.kind !== 'body') return null;
  const { status, contentType, body } = response;
  return { status, contentType, body };
}
