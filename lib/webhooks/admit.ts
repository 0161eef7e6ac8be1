import type { AppError } from '#lib/core/errors.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import type { ExecuteFirstLeg } from '#lib/engine/first-leg.ts';
import type { Arrival, PreparedFor } from '#lib/engine/store/start-runs.ts';
import { triggerOf } from './trigger.ts';
import type { Intake } from './intake.ts';
import type { ObjectBody } from './object-body.ts';
import type { PreparedResponse } from './prepare-response.ts';
import type { KnownToken, Tokens } from './tokens.ts';

/** Each failed attempt means that a version was published within the few milliseconds since the one before. */
const MAX_TRIES = 5;
/** Larger bodies are left to the workers: each task may write a copy. */
const MAX_LEG_BODY_BYTES = 64 * 1024;

/** The response for the caller: the workflow does not run now, or the prepared one. */
export type Admitted =
  | (PreparedResponse & Ran)
  | { kind: 'not_active'; isPublished: boolean }
  /** By the rules of a version that was published while the request was received. */
  | { kind: 'refused'; refusal: AppError };

export interface AdmitDeps {
  tokens: Tokens;
  loadGraph: (workflowId: string, version: number) => Promise<CompiledGraph>;
  intake: Intake;
  /** Left out: all runs are left to the workers. */
  executeFirstLeg?: ExecuteFirstLeg | undefined;
}

interface Received {
  object: ObjectBody;
  /** Of the URL; `known` was found by it. */
  token: string;
  known: KnownToken;
  /** Checks the caller again by another version's rules. @returns why it is refused */
  checkAgain: (known: KnownToken) => Promise<AppError | undefined>;
}

/**
 * Writes the event of a production request together with its caller's response: it is the response of the version that the
 * run executes.
 * @returns undefined for a token that is unknown by now
 */
export async function admit(
  arrival: Arrival,
  { object, token, known, checkAgain }: Received,
  deps: AdmitDeps,
): Promise<Admitted | undefined> {
  const { tokens, intake } = deps;
  let current: KnownToken | undefined = known;
  for (let tries = 0; current && tries < MAX_TRIES; tries += 1) {
    const prepared = await prepare(arrival, object, current, deps);
    const admission = await intake(prepared ? { ...arrival, response: prepared.stored } : arrival);
    if (!admission) return undefined;
    if (admission.outcome === 'not_active') return { kind: 'not_active', isPublished: admission.isPublished };
    if (admission.outcome !== 'outdated' && prepared) return prepared.told;
    tokens.forget(token);
    current = await tokens.find(token);
    const refusal = current && (await checkAgain(current));
    if (refusal) return { kind: 'refused', refusal };
  }
  if (current) throw new Error(`Another version was published before each of ${MAX_TRIES} tries.`);
  return undefined;
}

interface Prepared {
  stored: PreparedFor;
  told: PreparedResponse & Ran;
}

interface Ran {
  /** Rendered from the workflow's result. */
  isOutput?: boolean;
}

/** Undefined where no version is published. */
async function prepare(
  arrival: Arrival,
  object: ObjectBody,
  known: KnownToken,
  { loadGraph, executeFirstLeg }: AdmitDeps,
): Promise<Prepared | undefined> {
  const { workflowId, publishedVersion: version } = known;
  if (version === null) return undefined;
  const { eventId, headers, receivedAt, runId } = arrival;
  const graph = await loadGraph(workflowId, version);
  const told = await object.prepareResponse(triggerOf(graph), { headers, receivedAt });
  if (told.kind === 'failed') return { told, stored: { version, problem: told.error.message } };
  const stored: PreparedFor = { version, problem: null };
  const bytes = arrival.body?.byteLength ?? 0;
  if (!executeFirstLeg || !object.value || bytes > MAX_LEG_BODY_BYTES) return { told, stored };
  const awaitsAnswer = told.kind === 'after_workflow';
  const { workspaceId } = known;
  const event = { id: eventId, isReplay: false, body: object.value, headers };
  stored.leg = executeFirstLeg(
    { id: runId, epoch: 1, workspaceId, workflowId, version, awaitsAnswer, event },
    graph,
  );
  const answer = stored.leg?.change.answer;
  return { stored, told: answer ? { kind: 'body', ...answer, isOutput: true } : told };
}
