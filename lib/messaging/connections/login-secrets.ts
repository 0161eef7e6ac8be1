import * as z from 'zod';
import type { Context } from '#lib/identity/context.ts';
import { sealedFor } from './sealing.ts';

/** What a login was started from, and goes back to: a task, or a starter of the gallery. */
export const loginOriginSchema = z.union([
  z.strictObject({ workflowId: z.uuid(), taskId: z.int().min(1) }),
  z.strictObject({ starterId: z.string().regex(/^[a-z-]{1,100}$/) }),
]);
export type LoginOrigin = z.infer<typeof loginOriginSchema>;

const origin = loginOriginSchema.optional();

const loginSecrets = z.discriminatedUnion('step', [
  z.object({ step: z.literal('started'), origin, codeVerifier: z.string() }),
  z.object({
    step: z.literal('authorized'),
    origin,
    receivedAt: z.number(),
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    expiresInSeconds: z.number().nullable(),
    refreshExpiresInSeconds: z.number().nullable(),
    scopes: z.array(z.string()),
  }),
]);

export type LoginSecrets = z.infer<typeof loginSecrets>;
export type AuthorizedLogin = Extract<LoginSecrets, { step: 'authorized' }>;

type SecretsContext = Pick<Context, 'secrets' | 'workspaceId'>;

/** What a login must keep until it is saved, as one sealed text. */
export const sealLogin = (ctx: SecretsContext, loginId: string, secrets: LoginSecrets): string =>
  ctx.secrets.seal(JSON.stringify(secrets), sealedFor(ctx.workspaceId, 'connection_login', loginId));

export const openLogin = (ctx: SecretsContext, loginId: string, sealed: string): LoginSecrets =>
  loginSecrets.parse(
    JSON.parse(ctx.secrets.open(sealed, sealedFor(ctx.workspaceId, 'connection_login', loginId))),
  );
