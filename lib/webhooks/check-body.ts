import { AppError } from '#lib/core/errors.ts';
import { type ArrivingBody, type BytesInFlight, BytesLease, readLimitedBody } from './body.ts';
import type { BodyWork } from './body-work.ts';
import type { ObjectBody } from './object-body.ts';
import type { WebhookRequest } from './types.ts';

/** How much of an unreadable body is kept with its event. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

/** A body that is a JSON object, or why it was refused; of a refused one `bytes` is what is kept. */
export type CheckedBody = { object: ObjectBody; bytes: Buffer } | { refusal: AppError; bytes: Buffer | null };

export interface BodyLimits {
  maxBodyBytes: number;
  inFlight: BytesInFlight;
  bodies: BodyWork;
}

/**
 * Reads and checks a body in the order of docs/webhooks.md (size, media type, JSON, object), and does the work with
 * it that is given, when its turn has come. The body's bytes are in flight until that is done.
 * @throws AppError `overloaded`, `invalid_request`
 */
export async function withCheckedBody<Result>(
  request: WebhookRequest,
  { maxBodyBytes, inFlight, bodies }: BodyLimits,
  work: (checked: CheckedBody) => Promise<Result>,
): Promise<Result> {
  const lease = new BytesLease(inFlight);
  try {
    const body = await readLimitedBody(request, maxBodyBytes, lease);
    if (!body) return await work(tooLarge(maxBodyBytes));
    const typeProblem = checkContentType(request.headers);
    if (typeProblem) return await work(ofAnotherType(typeProblem, body));
    return await bodies.parse(body, (bytes, parsed) =>
      work(
        'object' in parsed
          ? { object: parsed.object, bytes }
          : { refusal: parsed.refusal, bytes: keptPart(bytes, parsed.refusal) },
      ),
    );
  } finally {
    lease.release();
  }
}

const ofAnotherType = (problem: string, body: ArrivingBody): CheckedBody => ({
  refusal: new AppError('unsupported_media_type', problem),
  bytes: body.takeStart(KEPT_BYTES_OF_INVALID),
});

/** JSON that is no object is kept whole. */
const keptPart = (bytes: Buffer, { code }: AppError): Buffer =>
  code === 'invalid_json' ? bytes.subarray(0, KEPT_BYTES_OF_INVALID) : bytes;

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
