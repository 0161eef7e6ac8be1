import { maskSecrets } from '#lib/messaging/mask.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { field, objectOf, words } from '#lib/messaging/platform-fields.ts';
import { classifyError } from './error-table.ts';
import type { HttpAnswer } from './exchange.ts';
import { PlatformError, type PlatformErrorFacts } from './platform-error.ts';

const number = field((value) => (typeof value === 'number' ? value : undefined));
const errorSchema = objectOf({
  error: objectOf({
    code: number,
    error_subcode: number,
    message: words,
    error_user_msg: words,
    fbtrace_id: words,
    error_data: objectOf({ details: words }),
  }),
});

/** The error that an answer is: `{error:{message, code, error_subcode, error_data:{details}, fbtrace_id}}`, or anything else. The secrets of the call are cut out of its texts. */
export function readError(
  answer: Pick<HttpAnswer, 'status' | 'retryAfterSeconds'>,
  body: JsonValue | undefined,
  secrets: readonly string[],
): PlatformError {
  const { error } = errorSchema.parse(body);
  const { status, retryAfterSeconds } = answer;
  const said = (words: string | undefined): string | undefined =>
    words && maskSecrets(secrets.reduce(cutOut, words)).slice(0, 1000);
  const facts: PlatformErrorFacts = {
    httpStatus: status,
    retryAfterSeconds,
    code: error.code,
    subcode: error.error_subcode,
    platformMessage: said(error.message),
    details: said(error.error_data.details ?? error.error_user_msg),
    fbtraceId: said(error.fbtrace_id),
  };
  const kind = isOfProof(facts) ? 'app_secret' : classifyError(status, facts.code, facts.subcode);
  return new PlatformError(kind, facts);
}

/** Its code is that of any wrong parameter: only the words differ. */
const isOfProof = ({ code, platformMessage = '', details = '' }: PlatformErrorFacts): boolean =>
  code === 100 && `${platformMessage} ${details}`.includes('appsecret_proof');

const cutOut = (words: string, secret: string): string => words.replaceAll(secret, '[redacted]');
