import { newId } from '#lib/core/ids.ts';
import type { Arrival } from '#lib/engine/store/start-runs.ts';
import type { Intake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';

/** A webhook like those of the doors, for version 1 of a workflow of `insertWorkflow`. @param more replaces or extends it */
export const makeArrival = (token: string, more: Partial<Arrival> = {}): Arrival => ({
  eventId: newId(),
  runId: newId(),
  tokenHash: hashToken(token),
  kind: 'production',
  receivedAt: new Date(),
  headers: {},
  body: Buffer.from('{}'),
  refusal: null,
  response: { version: 1, problem: null },
  ...more,
});

/** Sends one. @returns its run's id */
export async function startRun(intake: Intake, token: string, body: object = {}): Promise<string> {
  const arrival = makeArrival(token, { body: Buffer.from(JSON.stringify(body)) });
  await intake(arrival);
  return arrival.runId;
}
