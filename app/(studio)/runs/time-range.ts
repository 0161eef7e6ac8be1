import * as z from 'zod';

const HOUR_MS = 3_600_000;
const SINCE_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const;

const instant = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** What a screen's address says about time; what cannot be read counts as absent. */
export const timeRangeFields = {
  since: z.enum(['1h', '24h', '7d', '30d']).optional().catch(undefined),
  from: instant,
  to: instant,
};

/** Milliseconds since 1970; undefined: no bound. */
export interface TimeRange {
  fromMs: number | undefined;
  toMs: number | undefined;
}

/** `since` counts from now and wins over `from` and `to`. */
export function toTimeRange(
  { since, from, to }: z.output<z.ZodObject<typeof timeRangeFields>>,
  now = Date.now(),
): TimeRange {
  if (since) return { fromMs: now - SINCE_MS[since], toMs: undefined };
  return { fromMs: from ? Date.parse(from) : undefined, toMs: to ? Date.parse(to) : undefined };
}
