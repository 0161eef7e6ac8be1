import { AppError } from '../errors.ts';
import { JsonSyntaxError } from '../json/json-syntax-error.ts';
import { parseJsonBytes } from '../json/parse-json.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { type BytesInFlight, readLimitedBody } from './body.ts';
import type { WebhookRequest } from './types.ts';

/** How much of an unreadable body is kept with its event. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

/** A body that is a JSON object, or why it was refused; of a refused one `bytes` is what is kept. */
export type CheckedBody = { body: JsonObject; bytes: Buffer } | { refusal: AppError; bytes: Buffer | null };

/**
 * Reads and checks a body in the order of design section 2: size, media type, JSON, object.
 * The caller gives `taken.bytes` back to `inFlight`. @throws AppError `overloaded`, `invalid_request`
 */
export async function checkBody(
  request: WebhookRequest,
  maxBodyBytes: number,
  inFlight: BytesInFlight,
  taken: { bytes: number },
): Promise<CheckedBody> {
  if ((request.declaredBytes ?? 0) > maxBodyBytes) return tooLarge(maxBodyBytes);
  const typeProblem = checkContentType(request.headers);
  const read = await readLimitedBody(request, maxBodyBytes, inFlight, taken);
  if (read.kind === 'aborted')
    throw new AppError('invalid_request', 'The body ended before it was complete.');
  if (read.kind === 'too_large') return tooLarge(maxBodyBytes);
  const { bytes } = read;
  if (typeProblem)
    return { refusal: new AppError('unsupported_media_type', typeProblem), bytes: keptPart(bytes) };
  try {
    const body = parseJsonBytes(bytes);
    if (isJsonObject(body)) return { body, bytes };
    const what =
      body === null
        ? 'null'
        : Array.isArray(body)
          ? 'an array'
          : `a ${typeof body === 'object' ? 'number' : typeof body}`;
    const message = `The body is ${what}: send a JSON object, such as {"items": […]}.`;
    return { refusal: new AppError('body_not_object', message), bytes };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { refusal: new AppError('invalid_json', error.message), bytes: keptPart(bytes) };
  }
}

const keptPart = (bytes: Buffer): Buffer => bytes.subarray(0, KEPT_BYTES_OF_INVALID);

function tooLarge(maxBodyBytes: number): CheckedBody {
  const message = `The body is larger than ${maxBodyBytes.toLocaleString('en')} bytes.`;
  return { refusal: new AppError('body_too_large', message), bytes: null };
}

function checkContentType(headers: Record<string, string>): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity')
    return 'Content-Encoding is not supported: send the body as it is.';
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (!type || type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type)) return undefined;
  return `Content-Type is ${JSON.stringify(type.slice(0, 100))}: send application/json.`;
}
