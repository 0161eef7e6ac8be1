import type { FindTrigger } from './find-trigger.ts';
import type { Admission, Arrival, Intake } from './intake.ts';
import type { ObjectBody } from './object-body.ts';
import type { PreparedResponse } from './prepare-response.ts';
import type { KnownToken, Tokens } from './tokens.ts';

/** Each try that fails means that a version was published within the few milliseconds since the one before. */
const MAX_TRIES = 5;

export interface Admitted {
  admission: Admission;
  /** Undefined when no version was published. */
  response: PreparedResponse | undefined;
}

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
  let current: KnownToken | undefined = known;
  for (let tries = 0; current && tries < MAX_TRIES; tries += 1) {
    const { workflowId, publishedVersion: version } = current;
    const trigger = version === null ? undefined : await findTrigger(workflowId, version);
    const { headers, receivedAt } = arrival;
    const response = trigger && (await object.prepareResponse(trigger, { headers, receivedAt }));
    const problem = response?.kind === 'failed' ? response.error.message : null;
    const admission = await intake({ ...arrival, response: { version, problem } });
    if (admission?.outcome !== 'outdated') return admission && { admission, response };
    tokens.forget(token);
    current = await tokens.find(token);
  }
  if (current) throw new Error(`Another version was published before each of ${MAX_TRIES} tries.`);
  return undefined;
}
