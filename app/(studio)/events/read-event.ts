import type { EventView } from '#components/events/event-view-types.ts';
import type { MemberContext } from '#lib/auth/session.ts';
import { getEvent } from '#lib/events/get-event.ts';
import type { Event } from '#lib/events/schema.ts';
import { recordMask } from '#lib/messaging/mask.ts';
import { toEventRow } from './read-events.ts';

const MAX_SHOWN_CHARACTERS = 400_000;

/** An event as its page shows it; viewers see customers' numbers masked. @throws AppError `not_found` */
export async function readEvent(ctx: MemberContext, id: string): Promise<EventView> {
  const event = await getEvent(ctx, { id });
  const clean = recordMask(ctx);
  return {
    ...toEventRow(event),
    replayOf: event.replay_of,
    headers: Object.entries(event.headers).sort(([a], [b]) => a.localeCompare(b)),
    body: toShownBody(event, clean),
  };
}

function toShownBody(
  { body, body_format, body_base64 }: Event,
  clean: (text: string) => string,
): EventView['body'] {
  switch (body_format) {
    case 'json': {
      const text = clean(JSON.stringify(body, null, 2));
      return {
        format: 'json',
        text: text.slice(0, MAX_SHOWN_CHARACTERS),
        isCut: text.length > MAX_SHOWN_CHARACTERS,
      };
    }
    case 'text':
      return { format: 'text', text: clean(typeof body === 'string' ? body : '') };
    case 'binary':
      return { format: 'binary', text: body_base64 ?? '' };
    case 'none':
      return { format: 'none' };
  }
}
