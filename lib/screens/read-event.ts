import type { EventView } from '#lib/screens/event-types.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { findConnectionName } from '#lib/screens/find-connection-name.ts';
import { getEvent } from '#lib/events/get-event.ts';
import type { Event } from '#lib/events/schema.ts';
import { hidesNumbersFrom, recordMask } from '#lib/messaging/mask.ts';
import { toEventRow } from '#lib/screens/read-events.ts';

const MAX_SHOWN_CHARACTERS = 400_000;

/** An event for its page; viewers get customers' numbers masked. @throws AppError `not_found` */
export async function readEvent(ctx: MemberContext, id: string): Promise<EventView> {
  const event = await getEvent(ctx, { id });
  const clean = recordMask(ctx);
  return {
    ...toEventRow(event),
    replayOf: event.replay_of,
    connectionName: event.connection_id === null ? null : await findConnectionName(ctx, event.connection_id),
    headers: Object.entries(event.headers).sort(([a], [b]) => a.localeCompare(b)),
    body: toShownBody(event, clean, hidesNumbersFrom(ctx)),
  };
}

function toShownBody(
  { body, body_format, body_base64 }: Event,
  clean: (text: string) => string,
  hidesNumbers: boolean,
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
    case 'binary': {
      const base64 = body_base64 ?? '';
      // A number cannot be masked in base64.
      if (hidesNumbers)
        return { format: 'text', text: clean(Buffer.from(base64, 'base64').toString('utf8')) };
      return { format: 'binary', text: base64 };
    }
    case 'none':
      return { format: 'none' };
  }
}
