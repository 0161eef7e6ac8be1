import type { ServerResponse } from 'node:http';
import { type ErrorCode, statusOf } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';

/** Answers a request that must not be processed further, with an error in the API's format. */
export function refuse(
  res: ServerResponse,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(statusOf(code), { ...ANSWER_HEADERS, ...headers, 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ error: { code, message } }));
}
