import { getEvent } from '#lib/events/get-event.ts';
import type { Event } from '#lib/events/schema.ts';
import { AppError } from '#lib/errors.ts';
import type { Context } from '#lib/workspaces/context.ts';

/** What a search in an event looks at: its body. */
function textOf({ body, body_format }: Event): string {
  if (body_format === 'json') return JSON.stringify(body);
  return typeof body === 'string' ? body : '';
}

/**
 * Makes the question whether an event holds a text, whatever its case. Null: nothing is looked for.
 * An event that is gone by now holds nothing.
 */
export function eventTextMatcher(
  ctx: Context,
  text: string | undefined,
): ((eventId: string) => Promise<boolean>) | null {
  const wanted = text?.trim().toLowerCase();
  if (!wanted) return null;
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return async (eventId) => {
    if (eventId === wanted) return true;
    try {
      const held = textOf(await getEvent(ctx, { id: eventId })).toLowerCase();
      return held.includes(wanted) || held.includes(asJson);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return false;
      throw error;
    }
  };
}
