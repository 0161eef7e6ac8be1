import type { Arrival } from '#lib/engine/store/start-runs.ts';
import type { FindTrigger } from './find-trigger.ts';
import type { Intake } from './intake.ts';
import type { ObjectBody } from './object-body.ts';
import type { PreparedResponse } from './prepare-response.ts';
import type { KnownToken, Tokens } from './tokens.ts';

/** Each try that fails means that a version was published within the few milliseconds since the one before. */
const MAX_TRIES = 5;

/** What the caller is told: the workflow does not run now, or what was prepared. */
export type Admitted = PreparedResponse | { kind: 'not_active'; isPublished: boolean };

/**
 * Writes the event of a production request together with the decision what its caller is told: the response that is
 * sent is the one of the version that the run executes.
 * @param token of the URL, which `known` was found by
 * @returns undefined for a token that is not known any more
 */
export async function admit(
  arrival: Arrival,
  { object, token, known }: { object: ObjectBody; token: string; known: KnownToken },
  { tokens, findTrigger, intake }: { tokens: Tokens; findTrigger: FindTrigger; intake: Intake },
): Promise<Admitted | undefined> {
  const { headers, receivedAt } = arrival;
  let current: KnownToken | undefined = known;
  for (let tries = 0; current && tries < MAX_TRIES; tries += 1) {
    const { workflowId, publishedVersion: version } = current;
    const response =
      version === null
        ? undefined
        : await object.prepareResponse(await findTrigger(workflowId, version), { headers, receivedAt });
    const problem = response?.kind === 'failed' ? response.error.message : null;
    const admission = await intake(
      version === null ? arrival : { ...arrival, response: { version, problem } },
    );
    if (!admission) return undefined;
    if (admission.outcome === 'not_active') return { kind: 'not_active', isPublished: admission.isPublished };
    if (admission.outcome !== 'outdated' && response) return response;
    tokens.forget(token);
    current = await tokens.find(token);
  }
  if (current) throw new Error(`Another version was published before each of ${MAX_TRIES} tries.`);
  return undefined;
}
