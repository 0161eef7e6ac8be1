import { AppError } from '#lib/core/errors.ts';
import { isJsonType, mediaTypeOf } from '#lib/core/http/media-type.ts';
import { readUpTo } from '#lib/core/http/read-up-to.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import type { JsonValue } from '#lib/core/json/value.ts';

/** Twice the size of the largest workflow. */
export const MAX_API_BODY_BYTES = 5 * 1024 * 1024;

export interface JsonBody {
  /** With plain JavaScript numbers. */
  value: unknown;
  /** With numbers that keep their digits. */
  exact: JsonValue;
}

/**
 * The JSON value of a request's body; undefined when there is none.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
export async function readJsonBody(request: Request): Promise<JsonBody | undefined> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = mediaTypeOf(request.headers.get('content-type'));
  if (type && !isJsonType(type)) {
    throw new AppError(
      'unsupported_media_type',
      `Content-Type is ${JSON.stringify(type.slice(0, 100))}: send application/json.`,
    );
  }
  try {
    const exact = parseJsonBytes(bytes);
    return { value: JSON.parse(new TextDecoder().decode(bytes)) as unknown, exact };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new AppError('invalid_json', error.message);
    throw error;
  }
}

async function readBytes(request: Request): Promise<Buffer> {
  const isTooLarge = Number(request.headers.get('content-length') ?? 0) > MAX_API_BODY_BYTES;
  const bytes = isTooLarge ? undefined : await readUpTo(request.body, MAX_API_BODY_BYTES);
  if (!bytes) throw tooLarge();
  return bytes;
}

const tooLarge = (): AppError =>
  new AppError('body_too_large', `The body is larger than ${MAX_API_BODY_BYTES.toLocaleString('en')} bytes.`);
