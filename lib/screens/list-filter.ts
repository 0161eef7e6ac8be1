// URL filters shared by the lists of runs and of events.
import * as z from 'zod';
import type { NewestInput } from '#lib/identity/paging/list-newest.ts';
import { isId } from '#lib/core/ids.ts';

const HOUR_MS = 3_600_000;
const SINCE_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const;
const ROWS_A_PAGE = 25;

const instant = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** Invalid values count as absent. */
export const listFilterFields = {
  workflow: z.string().refine(isId).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  since: z.enum(['1h', '24h', '7d', '30d']).optional().catch(undefined),
  from: instant,
  to: instant,
  cursor: z.string().max(100).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(100).default(ROWS_A_PAGE).catch(ROWS_A_PAGE),
};

type ListFilter = z.output<z.ZodObject<typeof listFilterFields>>;

/** Input for the verbs; `since` is relative to now and overrides `from` and `to`. */
export function toListInput(
  { workflow, text, since, from, to, cursor, limit }: ListFilter,
  now = Date.now(),
): { workflow_id: string | undefined; text: string | undefined } & Omit<NewestInput, 'state' | 'workflowId'> {
  return { workflow_id: workflow, text, cursor, limit, ...toTimeRange({ since, from, to }, now) };
}

function toTimeRange({ since, from, to }: Pick<ListFilter, 'since' | 'from' | 'to'>, now: number) {
  if (since) return { fromMs: now - SINCE_MS[since], toMs: undefined };
  return { fromMs: from ? Date.parse(from) : undefined, toMs: to ? Date.parse(to) : undefined };
}
