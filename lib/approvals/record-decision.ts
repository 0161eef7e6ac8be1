import { inTransaction, type Pool } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { readUpTo } from '#lib/core/http/read-body.ts';
import { ENCODING_PROBLEM, isIdentity, isJsonType, mediaTypeOf } from '#lib/core/http/request-headers.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { deliverSignals } from '#lib/engine/store/deliver-signals.ts';
import { approvalKey, type ApprovalLink, type Decided, MAX_COMMENT, stateOf } from './approval-link.ts';
import { findLink } from './links.ts';

const DECIDE = `
update approval_links set decision = $2, comment = $3, body = $4, decided_at = now() where id = $1 returning decided_at`;

/**
 * Records a decision and signals the run that waits for it, in one transaction. The first decision counts; concurrent ones
 * are refused.
 * @throws AppError `not_found`; `conflict` when it was decided before; `gone` when no decision is needed any more
 */
export function recordDecision(
  pool: Pool,
  token: string,
  { decision, comment, body }: Omit<Decided, 'decidedAt'>,
): Promise<Decided> {
  return inTransaction(pool, async (client) => {
    const link = await findLink(client, token, 'for update');
    if (!link) throw noSuchLink();
    assertOpen(link);
    const { id, workspaceId } = link;
    const { rows } = await client.query<{ decided_at: Date }>({
      name: 'record_decision',
      text: DECIDE,
      values: [id, decision, comment, body],
    });
    const key = approvalKey(id);
    const payload = JSON.stringify({ link_id: id });
    await deliverSignals(client, [{ workspaceId, keys: [key], id: key, payload }]);
    return { decision, comment, body, decidedAt: (rows[0] as { decided_at: Date }).decided_at };
  });
}

export const noSuchLink = (): AppError =>
  new AppError('not_found', 'This link does not exist. Check that you opened the complete link.');

/** @throws AppError `conflict`, `gone` */
function assertOpen(link: ApprovalLink): void {
  const state = stateOf(link);
  if (state !== 'open') throw new AppError(state === 'decided' ? 'conflict' : 'gone', reasonOf(link));
}

/** Why a link cannot be decided. */
export function reasonOf(link: ApprovalLink): string {
  const { decided, expiresAt, closedAt } = link;
  switch (stateOf(link)) {
    case 'decided':
      return `This was already ${decided?.decision} at ${decided?.decidedAt.toISOString()}. The decision cannot be changed.`;
    case 'expired':
      return `This link expired at ${expiresAt.toISOString()}.`;
    case 'closed':
      return `Nobody decided by ${closedAt?.toISOString()}, so the workflow continued without a decision.`;
    default:
      return 'A decision is no longer needed: the run has ended.';
  }
}

// Reads what is posted to a link: JSON of another system, or the form of the page.

export const MAX_DECISION_BYTES = 64 * 1024;

const FORM = 'application/x-www-form-urlencoded';
const EXAMPLE = '{"decision":"approve"}';
const DECISIONS = new Map<unknown, Decided['decision']>([
  ['approve', 'approved'],
  ['reject', 'rejected'],
]);

/** Whether the page's form was posted: the response is a page then. */
export const isForm = (request: Request): boolean =>
  mediaTypeOf(request.headers.get('content-type')) === FORM;

/**
 * Reads a decision.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_json`, `body_not_object`, `invalid_request`
 */
export async function readDecision(request: Request): Promise<Omit<Decided, 'decidedAt'>> {
  const type = mediaTypeOf(request.headers.get('content-type'));
  if (type && type !== FORM && !isJsonType(type))
    throw new AppError(
      'unsupported_media_type',
      `Content-Type is ${JSON.stringify(type.slice(0, 100))}: send application/json, such as ${EXAMPLE}.`,
    );
  if (!isIdentity(request.headers.get('content-encoding')))
    throw new AppError('unsupported_media_type', ENCODING_PROBLEM);
  const bytes = await readUpTo(request.body, MAX_DECISION_BYTES);
  if (!bytes)
    throw new AppError(
      'body_too_large',
      `The body is larger than ${MAX_DECISION_BYTES.toLocaleString('en')} bytes.`,
    );
  const given = type === FORM ? readForm(bytes) : readObject(bytes);
  return { decision: decisionOf(given), comment: commentOf(given), body: stringifyJson(given) };
}

const readForm = (bytes: Buffer): JsonObject => Object.fromEntries(new URLSearchParams(bytes.toString()));

function readObject(bytes: Buffer): JsonObject {
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('body_not_object', `The body is not a JSON object: send one such as ${EXAMPLE}.`);
  return value as JsonObject;
}

function parse(bytes: Buffer): JsonValue {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new AppError('invalid_json', error.message);
    throw error;
  }
}

const invalid = (path: string, message: string): AppError =>
  new AppError('invalid_request', message, { problems: [{ path, message }] });

function decisionOf(given: JsonObject): Decided['decision'] {
  const decision = DECISIONS.get(given['decision']);
  if (!decision) throw invalid('decision', 'Set "decision" to "approve" or "reject".');
  return decision;
}

function commentOf({ comment = '' }: JsonObject): string {
  if (comment === null) return '';
  if (typeof comment !== 'string') throw invalid('comment', 'Set "comment" to a text, or leave it out.');
  const text = comment.replaceAll('\u0000', '').replaceAll('\r\n', '\n').trim();
  if (text.length > MAX_COMMENT)
    throw invalid('comment', `The comment is longer than ${MAX_COMMENT.toLocaleString('en')} characters.`);
  return text;
}
