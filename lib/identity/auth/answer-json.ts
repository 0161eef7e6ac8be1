// Internal routes of the screens: they check session, workspace and role themselves, and return JSON only.
import { unstable_rethrow as rethrowNextSignals } from 'next/navigation';
import { about } from '#lib/core/log-fields.ts';
import { assertMember, type MemberContext } from '#lib/identity/auth/session.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import type { Role } from '#lib/identity/roles/roles.ts';

/** Responds with the result of `work`, or with an error body as the API does; unknown errors are logged with an id. */
export const answerJson = (
  minimumRole: Role,
  work: (ctx: MemberContext) => Promise<unknown>,
): Promise<Response> => answerWith(minimumRole, async (ctx) => toJson(200, await work(ctx)));

/** Responds with what `work` responds, and to errors as `answerJson` does. */
export async function answerWith(
  minimumRole: Role,
  work: (ctx: MemberContext) => Promise<Response>,
): Promise<Response> {
  try {
    return await work(await assertMember(minimumRole));
  } catch (error) {
    rethrowNextSignals(error);
    const shown = error instanceof AppError ? error : await logged(error);
    return toJson(statusOf(shown.code), toErrorBody(shown));
  }
}

const toJson = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  });

async function logged(error: unknown): Promise<AppError> {
  const { logger } = await import('#lib/core/log.ts');
  const requestId = newId();
  logger.error({ err: error, ...about({ requestId }) }, 'A route of a screen failed');
  return new AppError('internal', `Something went wrong on our side. Request ID: ${requestId}.`);
}
