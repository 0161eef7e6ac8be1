import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';

/** Stores a body as if it had arrived at a workflow's test URL: its fields are variables, and nothing runs. */
export async function recordSample(
  ctx: Pick<ActorContext, 'db'>,
  { token, body }: { token: string; body: JsonObject },
): Promise<void> {
  await createIntake(ctx.db.$client)({
    eventId: newId(),
    runId: newId(),
    tokenHash: hashToken(token),
    kind: 'test',
    receivedAt: new Date(),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(stringifyJson(body)),
    refusal: null,
  });
}
