import { AppError } from '#lib/core/errors.ts';
import { NEVER_REPLAYED } from '#lib/engine/event-types.ts';
import { findReceipts, searchEvents } from '#lib/events/read-events.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import type { EventSummary } from '#lib/events/schema.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { estimateMessages } from './estimate-messages.ts';
import { MAX_MATCHING, type ReplayPreview, type ReplayResult } from './schema.ts';

/** Replays matching events that never ran, oldest first. Failures do not stop the others. */
export async function replayMatching(
  ctx: ActorContext,
  { limit, ...filter }: ReplayFilter & { limit: number },
): Promise<ReplayResult> {
  const { fresh } = await findMatching(ctx, filter);
  const result: ReplayResult = { replayed: [], failed: [], remaining: Math.max(0, fresh.length - limit) };
  for (const { id } of fresh.slice(0, limit)) {
    try {
      const replay = await replayEvent(ctx, { id });
      result.replayed.push({ event_id: id, new_event_id: replay.id, run_id: replay.run_id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.failed.push({ event_id: id, message: error.message });
    }
  }
  return result;
}

// "Replay all matching" covers events that never ran. Tests, receipts and events that ran are excluded, because replaying
// them would send unwanted messages.

const ROWS_A_PAGE = 100;

type ReplayFilter = Omit<Parameters<typeof searchEvents>[1], 'limit' | 'cursor'>;

export interface MatchingEvents {
  /** Never ran, oldest first. */
  fresh: EventSummary[];
  /** Ran or were replayed before, oldest first. */
  ran: EventSummary[];
  tests: number;
  receipts: number;
  rejected: number;
  removed: number;
  isComplete: boolean;
}

/** Finds the newest `MAX_MATCHING` matching events, and classifies them. */
async function findMatching(ctx: Context, filter: ReplayFilter): Promise<MatchingEvents> {
  const found: EventSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchEvents(ctx, { ...filter, limit: ROWS_A_PAGE, cursor });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < MAX_MATCHING);
  const receipts = await findReceipts(ctx, found);
  const groups = Object.groupBy(found.slice(0, MAX_MATCHING), (event) => groupOf(event, receipts));
  const countOf = (group: ReturnType<typeof groupOf>): number => groups[group]?.length ?? 0;
  return {
    fresh: (groups.fresh ?? []).toReversed(),
    ran: (groups.already_ran ?? []).toReversed(),
    tests: countOf('test'),
    receipts: countOf('receipt'),
    rejected: countOf('rejected'),
    removed: countOf('removed'),
    isComplete: cursor === undefined,
  };
}

function groupOf(event: EventSummary, receipts: ReadonlyMap<string, string>) {
  if (event.kind === 'test') return 'test';
  if (receipts.has(event.id)) return 'receipt';
  if (NEVER_REPLAYED.has(event.outcome)) return 'rejected';
  if (event.body_removed_at !== null) return 'removed';
  return event.run_id !== null || event.replayed ? 'already_ran' : 'fresh';
}

/** Previews a replay of all matching events. @returns also the events, oldest first */
export async function previewReplay(
  ctx: Context,
  filter: ReplayFilter,
): Promise<{ preview: ReplayPreview; fresh: EventSummary[]; ran: EventSummary[] }> {
  const { fresh, ran, tests, receipts, rejected, removed, isComplete } = await findMatching(ctx, filter);
  const { messages, people, unknownRecipients, hasLoops } = await estimateMessages(ctx, fresh);
  const preview = {
    new_events: fresh.length,
    already_ran: ran.length,
    tests,
    receipts,
    rejected,
    removed,
    is_complete: isComplete,
    messages,
    people,
    unknown_recipients: unknownRecipients,
    has_loops: hasLoops,
  };
  return { preview, fresh, ran };
}

/** Describes a replay of all matching events, one sentence per effect. */
export function describeReplay(preview: ReplayPreview): string[] {
  const { new_events: fresh, already_ran: ran } = preview;
  const left = [
    named(preview.tests, 'test request'),
    named(preview.receipts, 'delivery receipt'),
    named(preview.rejected, 'rejected request'),
    preview.removed > 0 ? `${named(preview.removed, 'event')} without body` : '',
  ];
  const skipped = left.filter((words) => words !== '');
  return [
    `${named(fresh, 'new event') || 'No new events'}${ran > 0 ? `, ${ran.toLocaleString('en')} that already ran` : ''}.`,
    ...(skipped.length > 0 ? [`Not replayed: ${skipped.join(', ')}.`] : []),
    ...(fresh > 0 ? describeMessages(preview) : []),
    ...(preview.is_complete
      ? []
      : ['More events match than are counted here. Filter by time to see all of them.']),
  ];
}

function describeMessages({
  messages,
  people,
  unknown_recipients: unknown,
  has_loops: hasLoops,
}: ReplayPreview): string[] {
  if (messages === 0) return ['Their workflows send no messages. Requests to other services are sent.'];
  const to = people > 0 ? ` to ${people === 1 ? '1 person' : `${people.toLocaleString('en')} people`}` : '';
  return [
    `${hasLoops ? '' : 'Up to '}${named(messages, 'message')}${hasLoops ? ' or more' : ''} can leave${to}. The branches that the workflows take decide.`,
    ...(unknown > 0 && unknown < messages
      ? [`For ${named(unknown, 'message')} the recipient is known only when the workflow runs.`]
      : []),
    ...(unknown === messages ? ['Who receives them is known only when the workflows run.'] : []),
  ];
}

function named(count: number, noun: string): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
