// `/resume/<token>`: a page for people, and an endpoint for other systems. The token is the only credential.
import { writeInstant } from '#lib/core/time/zones.ts';
import { createHash } from 'node:crypto';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { ANSWER_HEADERS, transportSecurity } from '#lib/core/http/answer-headers.ts';
import { newId } from '#lib/core/ids.ts';
import { about } from '#lib/core/log-fields.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { escapeXml } from '#lib/variables/escape.ts';
import { type ApprovalLink, type Decided, MAX_COMMENT, stateOf } from './approval-link.ts';
import { findLink } from './links.ts';
import { isForm, noSuchLink, readDecision, reasonOf, recordDecision } from './record-decision.ts';

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

// The page of a link, for anyone who has it: readable without signing in and without scripts. It shows its workflow's texts
// escaped, and opening it never decides anything.

/** The style of a link's page: no script, no other file, readable on a phone, light and dark. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.966 0.006 95), oklch(0.185 0.014 235));
  --surface: light-dark(oklch(0.993 0.002 95), oklch(0.222 0.015 235));
  --ink: light-dark(oklch(0.25 0.022 235), oklch(0.94 0.008 95));
  --muted: light-dark(oklch(0.47 0.02 235), oklch(0.74 0.014 220));
  --line: light-dark(oklch(0.885 0.008 95), oklch(0.325 0.015 235));
  --line-strong: light-dark(oklch(0.61 0.016 235), oklch(0.57 0.016 235));
  --accent: light-dark(oklch(0.45 0.088 215), oklch(0.8 0.1 205));
  --accent-ink: light-dark(oklch(0.99 0.004 200), oklch(0.2 0.03 220));
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100dvh; padding: 1.5rem 1rem; background: var(--canvas); color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
main {
  max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 0.875rem; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.25rem; line-height: 1.75rem; white-space: pre-line }
p { margin: 0.75rem 0 0 }
.details, blockquote { white-space: pre-wrap }
.details { padding-top: 0.75rem; border-top: 1px solid var(--line) }
blockquote { margin: 0.75rem 0 0; padding-left: 0.75rem; border-left: 3px solid var(--line-strong) }
.note { color: var(--muted); font-size: 0.875rem; line-height: 1.375rem }
.problem { font-weight: 600 }
label { display: block; margin-top: 1rem; font-weight: 600 }
textarea {
  display: block; width: 100%; min-height: 5rem; margin-top: 0.25rem; padding: 0.5rem 0.75rem; font: inherit;
  color: inherit; background: var(--surface); border: 1px solid var(--line-strong); border-radius: 0.4375rem;
}
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem }
button {
  flex: 1 1 8rem; min-height: 3rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: 0.625rem;
}
button.first { color: var(--accent-ink); background: var(--accent); border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;

/** Policy of the page: it may show its style and send its form, without our origin and without scripts. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-forms',
].join('; ');

/**
 * The page of a link: its question with two buttons, the decision, or why it cannot be decided.
 * @param problem what was wrong with the posted data
 */
export function renderLinkPage(link: ApprovalLink, problem?: string): string {
  const { question, details, zone } = link;
  const parts = [
    `<h1>${escapeXml(question)}</h1>`,
    problem === undefined ? '' : alert(problem, zone),
    link.decided ? renderDecided(link, link.decided) : '',
    details === '' ? '' : `<p class="details">${escapeXml(details)}</p>`,
    link.decided ? '' : stateOf(link) === 'open' ? renderForm(link) : alert(reasonOf(link), zone),
  ];
  return renderPage(parts.join('\n'));
}

/** A page that only shows a problem. */
export const renderProblemPage = (problem: string): string =>
  renderPage(`<h1>Approval</h1>\n${alert(problem)}`);

const alert = (text: string, zone = 'UTC'): string =>
  `<p class="problem" role="alert">${escapeXml(withTimes(text, zone))}</p>`;

function renderForm({ approveLabel, rejectLabel, hasComment, expiresAt, zone }: ApprovalLink): string {
  const comment = `<label for="comment">Comment (optional)</label>
<textarea id="comment" name="comment" maxlength="${MAX_COMMENT}"></textarea>`;
  return `<form method="post">
${hasComment ? comment : ''}
<div class="buttons">
<button class="first" name="decision" value="approve">${escapeXml(approveLabel)}</button>
<button name="decision" value="reject">${escapeXml(rejectLabel)}</button>
</div>
</form>
<p class="note">You can decide once, until ${time(expiresAt, zone)} at the latest.</p>`;
}

function renderDecided(
  { approveLabel, rejectLabel, zone }: ApprovalLink,
  { decision, comment, decidedAt }: Decided,
): string {
  const label = decision === 'approved' ? approveLabel : rejectLabel;
  const words = comment === '' ? '' : `\n<blockquote>${escapeXml(comment)}</blockquote>`;
  return `<p role="status"><strong>${escapeXml(label)}</strong> was chosen on ${time(decidedAt, zone)}.</p>${words}`;
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

const time = (instant: Date, zone: string): string =>
  `<time datetime="${instant.toISOString()}">${writeInstant(instant, zone)}</time>`;
/** Instants as readable dates. */
const withTimes = (text: string, zone: string): string =>
  text.replace(INSTANT, (instant) => writeInstant(new Date(instant), zone));

const renderPage = (main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>Approval</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
