import { AppError } from '#lib/core/errors.ts';
import { ENCODING_PROBLEM, isIdentity } from '#lib/core/http/content-encoding.ts';
import { isJsonType, mediaTypeOf } from '#lib/core/http/media-type.ts';
import { type ArrivingBody, type BytesInFlight, BytesLease, readLimitedBody } from './body.ts';
import type { BodyWork } from './body-work.ts';
import type { CallerGate } from './callers/caller-gate.ts';
import type { CallerRules } from './callers/caller-rules.ts';
import { isFormType, isMultipart, parseForm } from './forms/form-body.ts';
import { type FormUploads, type PendingFiles, withStoredForm } from './forms/stored-form.ts';
import type { ObjectBody } from './object-body.ts';
import type { WebhookRequest } from './types.ts';

/** Stored bytes of an unreadable body. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

/** A body that is a JSON object, or why it was refused; for a refused one `bytes` is the part to store. */
export type CheckedBody =
  | { object: ObjectBody; bytes: Buffer; files?: PendingFiles }
  | { refusal: AppError; bytes: Buffer | null };

export interface BodyLimits {
  maxBodyBytes: number;
  inFlight: BytesInFlight;
  bodies: BodyWork;
  uploads: FormUploads;
}

/**
 * Reads and checks a body in the order of docs/webhooks.md (caller, size, media type, signature, JSON, object), and calls
 * `work` with it when it is its turn. The bytes are in flight until `work` has ended.
 * @param gate left out: anyone with the URL may call, with JSON
 * @throws AppError `overloaded`, `invalid_request`
 */
export async function withCheckedBody<Result>(
  request: WebhookRequest,
  { maxBodyBytes, inFlight, bodies, uploads }: BodyLimits,
  work: (checked: CheckedBody) => Promise<Result>,
  gate?: CallerGate,
): Promise<Result> {
  const notAllowed = gate && (await gate.checkRequest());
  if (notAllowed) return work({ refusal: notAllowed, bytes: null });
  if (gate?.storesFiles && isFormWithFiles(request.headers))
    return withStoredForm(request, uploads, work, gate);
  const lease = new BytesLease(inFlight);
  try {
    const body = await readLimitedBody(request, maxBodyBytes, lease);
    if (!body) return await work(tooLarge(maxBodyBytes));
    const type = checkContentType(request.headers, gate?.acceptsForms === true);
    if ('problem' in type) return await work(ofAnotherType(type.problem, body));
    return await bodies.parse(
      body,
      (bytes, parsed) =>
        work(
          'object' in parsed
            ? { object: parsed.object, bytes: parsed.json ?? bytes }
            : { refusal: parsed.refusal, bytes: keptPart(bytes, parsed.refusal) },
        ),
      gate && {
        check: (bytes) => gate.checkBody(bytes),
        parse:
          type.form === undefined
            ? undefined
            : (bytes) => parseForm(bytes, type.form ?? '', uploads.loadParts),
      },
    );
  } finally {
    lease.release();
  }
}

const ofAnotherType = (problem: string, body: ArrivingBody): CheckedBody => ({
  refusal: new AppError('unsupported_media_type', problem),
  bytes: body.takeStart(KEPT_BYTES_OF_INVALID),
});

/** JSON that is no object is stored completely; of anything else the start. */
const keptPart = (bytes: Buffer, { code }: AppError): Buffer =>
  code === 'body_not_object' ? bytes : bytes.subarray(0, KEPT_BYTES_OF_INVALID);

function tooLarge(maxBodyBytes: number): CheckedBody {
  const message = `The body is larger than ${maxBodyBytes.toLocaleString('en')} bytes.`;
  return { refusal: new AppError('body_too_large', message), bytes: null };
}

const isFormWithFiles = (headers: Record<string, string>): boolean =>
  isMultipart(mediaTypeOf(headers['content-type']) ?? '') && isIdentity(headers['content-encoding']);

/** Whether rules refuse a form, or would if it had a file. */
export function isRefusedForm(
  headers: Record<string, string>,
  rules: Pick<CallerRules, 'acceptsForms' | 'storesFiles'> | undefined,
): boolean {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json') return false;
  const form = mediaTypeOf(type) ?? '';
  return isFormType(form) && !(isMultipart(form) ? rules?.storesFiles : rules?.acceptsForms);
}

/** @returns `form`: the whole header of a form, where forms are accepted */
function checkContentType(
  headers: Record<string, string>,
  acceptsForms: boolean,
): { form?: string } | { problem: string } {
  if (!isIdentity(headers['content-encoding'])) return { problem: ENCODING_PROBLEM };
  const type = mediaTypeOf(headers['content-type']);
  if (!type || isJsonType(type)) return {};
  if (acceptsForms && isFormType(type)) return { form: headers['content-type'] ?? type };
  const forms = isFormType(type) ? ', or accept HTML forms in the settings of the trigger' : '';
  return { problem: `Content-Type is ${JSON.stringify(type.slice(0, 100))}: send application/json${forms}.` };
}
