// The platform's rules for each kind of value, shared by forms, publishing and runs. Isomorphic.
import { isJsonObject } from '#lib/core/json/value.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { Reading } from '#lib/core/errors.ts';
import { isMediaId } from '#lib/messaging/platform/ids.ts';
import type { SlotKind } from '#lib/messaging/platform/template-slot-types.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { readInstant } from '#lib/variables/formats.ts';
import { numberSource } from '#lib/variables/to-text.ts';

/** The platform's limits, in characters. */
const MAX_COUPON_CODE = 20;

/** A non-empty value as it is sent; the problem continues the name of its field, such as “The header value”. */
export function readSlotValue(takes: SlotKind, value: string): Reading<string> {
  switch (takes) {
    case 'image':
    case 'video':
    case 'document':
      if (isMediaId(value) || isWebAddress(value)) return { value };
      return { problem: fileProblem(takes) };
    case 'coupon_code':
      if (value.length <= MAX_COUPON_CODE) return { value };
      return { problem: `can have at most ${MAX_COUPON_CODE} characters; it has ${value.length}.` };
    case 'latitude':
      return readDegrees(value, 90);
    case 'longitude':
      return readDegrees(value, 180);
    case 'flow_data':
      return readFlowData(value);
    case 'expires_at':
      return readEnd(value);
    default:
      return { value };
  }
}

/** @param type such as `image` */
export const fileProblem = (type: string): string =>
  `must be the public URL of the ${type}, starting with https://, or the id of an uploaded file.`;

export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/\s]/i.test(text) && URL.canParse(text);

function readDegrees(value: string, most: number): Reading<string> {
  const degrees = Number(numberSource(value) ?? Number.NaN);
  if (Math.abs(degrees) <= most) return { value: String(degrees) };
  return { problem: `must be a number from -${most} to ${most}.` };
}

function readFlowData(value: string): Reading<string> {
  try {
    if (isJsonObject(parseJson(value))) return { value };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return { problem: 'must be a JSON object, such as {"name": "Guest"}.' };
}

function readEnd(value: string): Reading<string> {
  const end = readInstant(value);
  if (end) return { value: end.toISOString() };
  return {
    problem: `must be when the offer ends. ${explainMismatch('date and time', value, 'a full date and time')} Example: 2030-01-31T09:00:00Z`,
  };
}
