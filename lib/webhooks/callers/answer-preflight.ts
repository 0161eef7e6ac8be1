import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import type { Tokens } from '../tokens.ts';
import type { WebhookAnswer, WebhookRequest } from '../types.ts';
import { preflightHeaders } from './allowed-origins.ts';
import type { FindCallerRules } from './find-caller-rules.ts';

/** Whether a request is a preflight (Fetch standard, "CORS-preflight request"). */
export const isPreflight = ({ method, headers }: WebhookRequest): boolean =>
  method === 'OPTIONS' &&
  headers['origin'] !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** @returns undefined where the trigger does not allow the website: OPTIONS is not accepted then */
export async function answerPreflight(
  { token, kind, headers }: WebhookRequest,
  { tokens, findCallerRules }: { tokens: Tokens; findCallerRules: FindCallerRules },
): Promise<WebhookAnswer | undefined> {
  const known = await tokens.find(token);
  const rules = known && (await findCallerRules(known, kind));
  const allowed = rules?.originHeaders?.(headers['origin']);
  if (!allowed?.['Access-Control-Allow-Origin']) return undefined;
  return { status: 204, headers: { ...ANSWER_HEADERS, ...allowed, ...preflightHeaders(headers) }, body: '' };
}
