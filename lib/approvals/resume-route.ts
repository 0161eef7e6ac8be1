// `/resume/<token>`: a page for people, and an endpoint for other systems. The token is the only credential.
import { about } from '#lib/core/log-fields.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { transportSecurity } from '#lib/core/http/content-security-policy.ts';
import { newId } from '#lib/core/ids.ts';
import { stateOf } from './approval-link.ts';
import { findLink } from './find-link.ts';
import { isForm, readDecision } from './read-decision.ts';
import { noSuchLink, recordDecision } from './record-decision.ts';
import { PAGE_POLICY, renderLinkPage, renderProblemPage } from './render-page.ts';

type ResumeRuntime = Pick<ProcessRuntime, 'db' | 'logger' | 'baseUrl'>;

/** Headers of responses to other systems, and to forms. */
const ALWAYS = { ...ANSWER_HEADERS, 'X-Robots-Tag': 'noindex, nofollow' };

/** Answers GET with the page, which changes nothing, and POST with the outcome of a decision. Never throws. */
export async function handleResumeRequest(
  runtime: ResumeRuntime,
  token: string,
  request: Request,
): Promise<Response> {
  const isDecision = request.method === 'POST';
  try {
    return await (isDecision ? decide(runtime, token, request) : showLink(runtime, token));
  } catch (error) {
    const shown = toAppError(error, runtime);
    if (isDecision && !isForm(request)) return toJson(statusOf(shown.code), toErrorBody(shown));
    const problem = toPage(runtime, statusOf(shown.code), renderProblemPage(shown.message));
    return isDecision ? showLink(runtime, token, shown).catch(() => problem) : problem;
  }
}

async function decide(runtime: ResumeRuntime, token: string, request: Request): Promise<Response> {
  const { decision, decidedAt } = await recordDecision(
    runtime.db.$client,
    token,
    await readDecision(request),
  );
  if (!isForm(request)) return toJson(200, { decision, decided_at: decidedAt.toISOString() });
  // Redirects, so that reloading the page does not post its form again.
  return new Response(null, { status: 303, headers: { ...ALWAYS, Location: `/resume/${token}` } });
}

/** @param problem what was wrong with the posted data; problems of the link itself are on the page anyway */
async function showLink(runtime: ResumeRuntime, token: string, problem?: AppError): Promise<Response> {
  const link = await findLink(runtime.db.$client, token);
  if (!link) throw noSuchLink();
  const state = stateOf(link);
  const status = state === 'open' || state === 'decided' ? 200 : statusOf('gone');
  const shown = state === 'open' || state === 'decided' ? problem?.message : undefined;
  return toPage(runtime, problem ? statusOf(problem.code) : status, renderLinkPage(link, shown));
}

function toPage({ baseUrl }: ResumeRuntime, status: number, page: string): Response {
  const headers = {
    ...ALWAYS,
    ...transportSecurity(baseUrl.startsWith('https:')),
    'Content-Security-Policy': PAGE_POLICY,
    'Content-Type': 'text/html; charset=utf-8',
  };
  return new Response(page, { status, headers });
}

const toJson = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...ALWAYS, 'Content-Type': 'application/json' } });

function toAppError(error: unknown, { logger }: ResumeRuntime): AppError {
  if (error instanceof AppError) return error;
  const requestId = newId();
  if (isDatabaseUnavailable(error)) {
    logger.warn({ err: error, ...about({ requestId }) }, 'the database could not be reached');
    return new AppError('overloaded', 'The database cannot be reached right now. Try again.');
  }
  logger.error({ err: error, ...about({ requestId }) }, 'a request to a resume URL failed');
  return new AppError('internal', `Internal error. The server log has it under request ID ${requestId}.`);
}
