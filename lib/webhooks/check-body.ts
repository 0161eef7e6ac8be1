import { AppError } from '#lib/core/errors.ts';
import { ENCODING_PROBLEM, isIdentity, isJsonType, mediaTypeOf } from '#lib/core/http/request-headers.ts';
import { type ArrivingBody, type BytesInFlight, BytesLease, readLimitedBody } from './body.ts';
import type { BodyWork } from './body-work.ts';
import type { CalledTrigger } from './called-trigger.ts';
import { isFormType, isMultipart, parseForm } from './forms/form-body.ts';
import { type FormUploads, type PendingFiles, openStoredForm } from './forms/stored-form.ts';
import type { ObjectBody } from './object-body.ts';
import type { WebhookRequest } from './types.ts';

/** Stored bytes of an unreadable body. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

/** A body that is a JSON object, or why it was refused; for a refused one `bytes` is the part to store. */
export type CheckedBody =
  | { object: ObjectBody; bytes: Buffer; files?: PendingFiles; contents?: () => Uint8Array }
  | { refusal: AppError; bytes: Buffer | null };

export interface BodyLimits {
  maxBodyBytes: number;
  inFlight: BytesInFlight;
  bodies: BodyWork;
  uploads: FormUploads;
}

/**
 * Reads and checks a body in the order of docs/webhooks.md (caller, size, media type, signature, JSON, object). It is in flight,
 * and has its turn, until `held` is disposed of.
 * @throws AppError `overloaded`, `invalid_request`
 */
export async function openBody(
  request: WebhookRequest,
  { maxBodyBytes, inFlight, bodies, uploads }: BodyLimits,
  trigger: CalledTrigger,
  held: AsyncDisposableStack,
): Promise<CheckedBody> {
  const notAllowed = await trigger.checkRequest();
  if (notAllowed) return { refusal: notAllowed, bytes: null };
  if (trigger.rules?.storesFiles && isFormWithFiles(request.headers))
    return openStoredForm(request, uploads, trigger, held);
  const body = await readLimitedBody(request, maxBodyBytes, held.use(new BytesLease(inFlight)));
  if (!body) return tooLarge(maxBodyBytes);
  const type = checkContentType(request.headers, trigger.rules?.acceptsForms === true);
  if ('problem' in type) return ofAnotherType(type.problem, body);
  const { form } = type;
  const { bytes, parsed } = await bodies.open(body, held, {
    check: (whole) => trigger.checkBody(whole),
    parse: form === undefined ? undefined : (whole) => parseForm(whole, form, uploads.loadParts),
  });
  return 'object' in parsed
    ? { object: parsed.object, bytes: parsed.json ?? bytes }
    : { refusal: parsed.refusal, bytes: keptPart(bytes, parsed.refusal) };
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
