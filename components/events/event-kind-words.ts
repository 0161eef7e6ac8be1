import type { EventKind } from '#lib/engine/event-types.ts';

export const EVENT_KIND_WORDS: Record<EventKind, string> = {
  production: 'Production',
  test: 'Test',
  notification: 'Notification',
};
