import * as z from 'zod';
import { AppError, type ErrorCode } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { sealedFor } from '#lib/messaging/connections/sealing.ts';

/** Where a login was started and returns to: a task, or a starter of the gallery. */
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

/** The state of a login until it is saved, as one sealed text. */
export const sealLogin = (ctx: SecretsContext, loginId: string, secrets: LoginSecrets): string =>
  ctx.secrets.seal(JSON.stringify(secrets), sealedFor(ctx.workspaceId, 'connection_login', loginId));

export const openLogin = (ctx: SecretsContext, loginId: string, sealed: string): LoginSecrets =>
  loginSecrets.parse(
    JSON.parse(ctx.secrets.open(sealed, sealedFor(ctx.workspaceId, 'connection_login', loginId))),
  );

/** The screen where a login was started, with the connection selected: a task on the canvas, or a starter of the gallery. */
export const placeOfOrigin = (origin: LoginOrigin, connectionId: string): string =>
  'starterId' in origin
    ? `/gallery?${new URLSearchParams({ starter: origin.starterId, connection: connectionId })}`
    : `/workflows/${origin.workflowId}?task=${origin.taskId}&connection=${connectionId}`;

// Why a login at the platform did not connect anything. URLs contain the code: a page shows no text from its URL.

const PROBLEMS = {
  unknown: {
    code: 'invalid_request',
    message:
      'This sign-in was not started here, was already used, or took too long. Start again from Connections.',
  },
  cancelled: { code: 'invalid_request', message: 'The sign-in was cancelled. Nothing was connected.' },
  refused: {
    code: 'invalid_request',
    message: 'The platform refused the sign-in. Start again.',
  },
  wrong_issuer: {
    code: 'invalid_request',
    message: 'The answer came from a different identity provider. Nothing was connected.',
  },
  no_tokens: {
    code: 'upstream_failed',
    message: 'The identity provider returned no access token. Start again; the server log has the details.',
  },
  wrong_account: {
    code: 'conflict',
    message:
      'This login does not reach the business account of the connection. Sign in as someone with the Admin or Editor role on it.',
  },
  failed: {
    code: 'upstream_failed',
    message: 'The sign-in could not be completed. Start again; the server log has the details.',
  },
} as const satisfies Record<string, { code: ErrorCode; message: string }>;

export type LoginProblem = keyof typeof PROBLEMS;

export class LoginError extends AppError {
  readonly problem: LoginProblem;

  /** @param cause for the log: the platform's error. */
  constructor(problem: LoginProblem, cause?: unknown) {
    const { code, message } = PROBLEMS[problem];
    super(code, message, { cause });
    this.problem = problem;
  }
}

/** The message of a code in a URL; undefined for anything else. */
export function explainLoginProblem(code: string | string[] | undefined): string | undefined {
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code)) return undefined;
  return PROBLEMS[code as LoginProblem].message;
}
