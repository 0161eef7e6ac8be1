// Bodies of HTML forms (WHATWG URL, "application/x-www-form-urlencoded"; RFC 7578), for triggers that accept them.
import { Readable } from 'node:stream';
import { AppError } from '#lib/core/errors.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { mediaTypeOf } from '#lib/core/http/request-headers.ts';
import type { CallerRules } from '../callers/caller-rules.ts';
import { type ObjectBody, toObjectBody } from '../object-body.ts';
import type { FormLimits, LoadFormParts } from './form-files.ts';

const MAX_FIELDS = 1000;
/** Limit of a form without its files. */
export const MAX_FORM_BYTES = 256 * 1024;
const MAX_FILES = 20;

export const FORM_LIMITS: FormLimits = { fields: MAX_FIELDS, textBytes: MAX_FORM_BYTES, files: MAX_FILES };

export type ParsedForm = { object: ObjectBody; json: Buffer } | { refusal: AppError };

export const isMultipart = (type: string): boolean => type === 'multipart/form-data';

/** Whether a media type, in lower case and without parameters, is that of a form. */
export const isFormType = (type: string): boolean =>
  type === 'application/x-www-form-urlencoded' || isMultipart(type);

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

/**
 * A form's fields as an object of texts; a repeated name has a list. `json` is the same as JSON, to store with the event.
 * Files are refused.
 * @param contentType the whole header
 */
export async function parseForm(
  bytes: Uint8Array,
  contentType: string,
  loadParts: LoadFormParts,
): Promise<ParsedForm> {
  if (bytes.byteLength > MAX_FORM_BYTES) {
    const message = `The form is larger than ${MAX_FORM_BYTES.toLocaleString('en')} bytes. Files are not accepted.`;
    return { refusal: new AppError('body_too_large', message) };
  }
  if (!/^\s*multipart\//i.test(contentType)) return parseUrlEncoded(bytes);
  const { readMultipart } = await loadParts();
  const read = await readMultipart(Readable.from([bytes]), contentType, { limits: FORM_LIMITS });
  if ('problem' in read) return { refusal: new AppError(read.problem.code, read.problem.message) };
  return toForm(read.fields as [string, string][]);
}

function parseUrlEncoded(bytes: Uint8Array): ParsedForm {
  const fields = [
    ...new URLSearchParams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()),
  ];
  if (fields.length <= MAX_FIELDS) return toForm(fields);
  const message = `The form has ${fields.length} fields: send at most ${MAX_FIELDS}.`;
  return { refusal: new AppError('invalid_request', message) };
}

/** The object of a form's fields, and its JSON. */
export function toForm(fields: readonly (readonly [string, JsonValue])[]): {
  object: ObjectBody;
  json: Buffer;
} {
  const values = new Map<string, JsonValue[]>();
  for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);
  const object: JsonObject = Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  );
  return { object: toObjectBody(object), json: Buffer.from(stringifyJson(object)) };
}
