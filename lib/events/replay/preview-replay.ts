import type { Context } from '#lib/identity/context.ts';
import type { EventSummary } from '../schema.ts';
import { estimateMessages } from './estimate-messages.ts';
import { findMatching, type ReplayFilter } from './find-matching.ts';
import type { ReplayPreview } from './schema.ts';

/** Previews a replay of all matching events. @returns also the events, oldest first */
export async function previewReplay(
  ctx: Context,
  filter: ReplayFilter,
): Promise<{ preview: ReplayPreview; fresh: EventSummary[]; ran: EventSummary[] }> {
  const { fresh, ran, tests, receipts, rejected, isComplete } = await findMatching(ctx, filter);
  const { messages, people, unknownRecipients, hasLoops } = await estimateMessages(ctx, fresh);
  const preview = {
    new_events: fresh.length,
    already_ran: ran.length,
    tests,
    receipts,
    rejected,
    is_complete: isComplete,
    messages,
    people,
    unknown_recipients: unknownRecipients,
    has_loops: hasLoops,
  };
  return { preview, fresh, ran };
}
