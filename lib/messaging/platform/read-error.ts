import { maskSecrets } from '#lib/messaging/mask.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { classifyError } from './error-table.ts';
import type { HttpAnswer } from './exchange.ts';
import { PlatformError, type PlatformErrorFacts } from './platform-error.ts';

/** The error that an answer is: `{error:{message, code, error_subcode, error_data:{details}, fbtrace_id}}`, or anything else. The token is cut out of its texts. */
export function readError(
  answer: Pick<HttpAnswer, 'status' | 'retryAfterSeconds'>,
  body: JsonValue | undefined,
  accessToken: string,
): PlatformError {
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
  const data = isJsonObject(error['error_data']) ? error['error_data'] : {};
  const { status, retryAfterSeconds } = answer;
  const facts: PlatformErrorFacts = {
    httpStatus: status,
    retryAfterSeconds,
    ...numberOf('code', error['code']),
    ...numberOf('subcode', error['error_subcode']),
    ...textOf('platformMessage', error['message'], accessToken),
    ...textOf('details', data['details'] ?? error['error_user_msg'], accessToken),
    ...textOf('fbtraceId', error['fbtrace_id'], accessToken),
  };
  return new PlatformError(classifyError(status, facts.code, facts.subcode), facts);
}

const numberOf = (name: 'code' | 'subcode', value: JsonValue | undefined): PlatformErrorFacts =>
  typeof value === 'number' ? { [name]: value } : {};

function textOf(
  name: 'platformMessage' | 'details' | 'fbtraceId',
  value: JsonValue | undefined,
  accessToken: string,
): PlatformErrorFacts {
  if (typeof value !== 'string' || value === '') return {};
  return { [name]: maskSecrets(value.replaceAll(accessToken, '[redacted]')).slice(0, 1000) };
}
