// Redirect URI of the platform's identity login; it is only taken from the settings.
import { processRuntime } from '#lib/core/process-runtime.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { finishLogin, type FinishedLogin } from '#lib/messaging/connections/login/finish-login.ts';
import { LoginError, placeOfOrigin } from '#lib/messaging/connections/login/login.ts';
import { env } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

export async function GET(request: Request): Promise<Response> {
  const member = await requireMember('editor');
  const query = new URL(request.url).searchParams;
  const given = (name: string): string | undefined => query.get(name) ?? undefined;
  try {
    const finished = await finishLogin(toMessagingContext(member), {
      userId: member.user.id,
      state: given('state') ?? '',
      code: given('code'),
      error: given('error'),
      issuer: given('iss'),
    });
    return goTo(placeAfter(finished));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { logger } = await processRuntime();
    logger.warn({ err: error }, 'signing in to the platform connected nothing');
    return goTo(`/connections?problem=${error instanceof LoginError ? error.problem : 'failed'}`);
  }
}

function placeAfter(finished: FinishedLogin): string {
  if (finished.next === 'choose_account') return `/connections/new?login=${finished.loginId}`;
  const { origin, connectionId } = finished;
  return origin ? placeOfOrigin(origin, connectionId) : `/connections/${connectionId}?reconnected=1`;
}

/** Without the code and the state in the URL, which would be sent as the referrer. */
const goTo = (path: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      Location: `${env().BASE_URL}${path}`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
