'use server';
import * as z from 'zod';
import type { BulkOutcome } from '#lib/screens/list-types.ts';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { replayEvent as replay } from '#lib/events/replay-event.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { doEach, MAX_AT_ONCE } from '#lib/screens/do-each.ts';

/** Starts the published version once more for an event. @returns the new event and its run. */
export const replayEvent = action('editor', z.strictObject({ id: z.string() }), async (ctx, { id }) => {
  const event = await replay(ctx, { id });
  await recordAudit(ctx, 'event.replayed', { id });
  return { eventId: event.id, runId: event.run_id };
});

export const replayEvents = action(
  'editor',
  z.strictObject({ ids: z.array(z.string()).max(MAX_AT_ONCE) }),
  async (ctx, { ids }): Promise<BulkOutcome[]> => {
    const outcomes = await doEach(ids, (id) => replay(ctx, { id }));
    for (const { id, problem } of outcomes)
      if (problem === null) await recordAudit(ctx, 'event.replayed', { id });
    return outcomes;
  },
);
