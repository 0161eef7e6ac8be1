// Without zod: screens know these words too.

/** What became of a request (design section 2). */
export const EVENT_OUTCOMES = ['triggered', 'tested', 'not_active', 'response_failed', 'rejected'] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];
