import { hideLinks } from '#lib/approvals/approval-link.ts';
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import type { Event } from '#lib/events/schema.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { recordMask } from '#lib/messaging/mask.ts';
import type { RunSummary } from '#lib/runs/schema.ts';

type Clean = (text: string) => string;

/** Masks texts of a run: numbers and links that the member may not see or use. */
export function runMask(ctx: Pick<MemberContext, 'role' | 'masksNumbers'>): Clean {
  const mask = recordMask(ctx);
  return hasRole(ctx.role, 'editor') ? mask : (text) => hideLinks(mask(text));
}

/** Cleans texts, keys and numbers; a number that is masked becomes a text. */
function maskJson(value: JsonValue, clean: Clean): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number' || value instanceof NumberLiteral) {
    const text = clean(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => maskJson(item, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), maskJson(item, clean)]));
}

/** Cleans everything in a value that keeps its type. */
export const maskWithin = <Value>(value: Value, clean: Clean): Value =>
  maskJson(value as JsonValue, clean) as unknown as Value;

/** A number cannot be masked in base64: such a body is shown as text where it is one. */
export const maskEvent = ({ body_base64: base64, ...event }: Event, clean: Clean): Event => ({
  ...event,
  headers: maskWithin(event.headers, clean),
  ...(base64 === undefined
    ? { body: maskWithin(event.body, clean) }
    : { body_format: 'text', body: clean(Buffer.from(base64, 'base64').toString('utf8')) }),
});

export const maskRunSummary = (run: RunSummary, clean: Clean): RunSummary => ({
  ...run,
  error: maskWithin(run.error, clean),
});
