// The page of a link, for anyone who has it: readable without signing in and without scripts. It shows its workflow's texts
// escaped, and opening it never decides anything.
import { createHash } from 'node:crypto';
import { escapeXml } from '#lib/variables/escape.ts';
import { type ApprovalLink, type Decided, MAX_COMMENT, stateOf } from './approval-link.ts';
import { PAGE_STYLE } from './page-style.ts';
import { reasonOf } from './record-decision.ts';

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
  const { question, details } = link;
  const parts = [
    `<h1>${escapeXml(question)}</h1>`,
    problem === undefined ? '' : alert(problem),
    link.decided ? renderDecided(link, link.decided) : '',
    details === '' ? '' : `<p class="details">${escapeXml(details)}</p>`,
    link.decided ? '' : stateOf(link) === 'open' ? renderForm(link) : alert(reasonOf(link)),
  ];
  return renderPage(parts.join('\n'));
}

/** A page that only shows a problem. */
export const renderProblemPage = (problem: string): string =>
  renderPage(`<h1>Approval</h1>\n${alert(problem)}`);

const alert = (text: string): string => `<p class="problem" role="alert">${escapeXml(withTimes(text))}</p>`;

function renderForm({ approveLabel, rejectLabel, hasComment, expiresAt }: ApprovalLink): string {
  const comment = `<label for="comment">Comment (optional)</label>
<textarea id="comment" name="comment" maxlength="${MAX_COMMENT}"></textarea>`;
  return `<form method="post">
${hasComment ? comment : ''}
<div class="buttons">
<button class="first" name="decision" value="approve">${escapeXml(approveLabel)}</button>
<button name="decision" value="reject">${escapeXml(rejectLabel)}</button>
</div>
</form>
<p class="note">You can decide once, until ${time(expiresAt)} at the latest.</p>`;
}

function renderDecided(
  { approveLabel, rejectLabel }: ApprovalLink,
  { decision, comment, decidedAt }: Decided,
): string {
  const label = decision === 'approved' ? approveLabel : rejectLabel;
  const words = comment === '' ? '' : `\n<blockquote>${escapeXml(comment)}</blockquote>`;
  return `<p role="status"><strong>${escapeXml(label)}</strong> was chosen on ${time(decidedAt)}.</p>${words}`;
}

const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

const words = (instant: Date): string => `${FORMAT.format(instant)} UTC`;
const time = (instant: Date): string => `<time datetime="${instant.toISOString()}">${words(instant)}</time>`;
/** Instants as readable dates. */
const withTimes = (text: string): string => text.replace(INSTANT, (instant) => words(new Date(instant)));

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
