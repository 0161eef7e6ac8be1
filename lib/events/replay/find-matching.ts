// "Replay all matching" covers events that never ran. Tests, receipts and events that ran are excluded, because replaying
// them would send unwanted messages.
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Context } from '#lib/identity/context.ts';
import { readBody } from '../read-body.ts';
import type { EventSummary } from '../schema.ts';
import { searchEvents } from '../search-events.ts';
import { MAX_MATCHING } from './schema.ts';

const ROWS_A_PAGE = 100;

export type ReplayFilter = Omit<Parameters<typeof searchEvents>[1], 'limit' | 'cursor'>;

export interface MatchingEvents {
  /** Never ran, oldest first. */
  fresh: EventSummary[];
  /** Ran or were replayed before, oldest first. */
  ran: EventSummary[];
  tests: number;
  receipts: number;
  rejected: number;
  isComplete: boolean;
}

/** Finds the newest `MAX_MATCHING` matching events, and classifies them. */
export async function findMatching(ctx: Context, filter: ReplayFilter): Promise<MatchingEvents> {
  const found: EventSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchEvents(ctx, { ...filter, limit: ROWS_A_PAGE, cursor });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < MAX_MATCHING);
  const isReceipt = await findReceipts(ctx, found);
  const groups = Object.groupBy(found.slice(0, MAX_MATCHING), (event) => groupOf(event, isReceipt));
  const countOf = (group: ReturnType<typeof groupOf>): number => groups[group]?.length ?? 0;
  return {
    fresh: (groups.fresh ?? []).toReversed(),
    ran: (groups.already_ran ?? []).toReversed(),
    tests: countOf('test'),
    receipts: countOf('receipt'),
    rejected: countOf('rejected'),
    isComplete: cursor === undefined,
  };
}

function groupOf(event: EventSummary, receipts: ReadonlySet<string>) {
  if (event.kind === 'test') return 'test';
  if (receipts.has(event.id)) return 'receipt';
  if (event.outcome === 'rejected' || event.outcome === 'ignored') return 'rejected';
  return event.run_id !== null || event.replayed ? 'already_ran' : 'fresh';
}

/** Notifications of a message's status. */
async function findReceipts(ctx: Context, events: readonly EventSummary[]): Promise<Set<string>> {
  const ids = events.filter(({ kind }) => kind === 'notification').map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const { rows } = await ctx.db.$client.query<{ id: string; body: Buffer | null }>(
    'select id, body from events where id = any($1::uuid[]) and workspace_id = $2',
    [ids, ctx.workspaceId],
  );
  const kindOf = (body: Buffer | null) => (readBody(body).body as JsonObject | null)?.['kind'];
  return new Set(rows.filter(({ body }) => kindOf(body) === 'status').map(({ id }) => id));
}
