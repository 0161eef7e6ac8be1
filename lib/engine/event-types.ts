// Without zod, because browsers load it, too.

/** Where an event came from: one of a workflow's URLs, the platform (through a connection), its schedule, a row of a list, or a run that calls its workflow. */
export const EVENT_KINDS = ['production', 'test', 'notification', 'schedule', 'list', 'call'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The outcome of a request (docs/webhooks.md). */
export const EVENT_OUTCOMES = [
  'triggered',
  'collected',
  'tested',
  'duplicate',
  'not_active',
  'response_failed',
  'not_forwarded',
  'recorded',
  'ignored',
  'rejected',
] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/** Events that cannot start a workflow later either; of duplicates, the first one can. */
export const NEVER_REPLAYED: ReadonlySet<EventOutcome> = new Set(['rejected', 'ignored', 'duplicate']);
