import { newId } from '#lib/core/ids.ts';
import type { Intake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';

/** A webhook like those of the doors, for version 1 of a workflow of `insertWorkflow`. @returns its run's id */
export async function startRun(intake: Intake, token: string, body: object = {}): Promise<string> {
  const runId = newId();
  await intake({
    eventId: newId(),
    runId,
    tokenHash: hashToken(token),
    kind: 'production',
    receivedAt: new Date(),
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    refusal: null,
    response: { version: 1, problem: null },
  });
  return runId;
}
