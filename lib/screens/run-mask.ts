import { hideLinks } from '#lib/approvals/approval-link.ts';
import { type JsonValue, mapTexts } from '#lib/core/json/value.ts';
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

/** Cleans everything in a value that keeps its type. */
export const maskWithin = <Value>(value: Value, clean: Clean): Value =>
  mapTexts(value as JsonValue, clean) as unknown as Value;

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
  customer: maskWithin(run.customer, clean),
});
