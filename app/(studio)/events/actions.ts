'use server';
import * as z from 'zod';
import type { BulkOutcome } from '#lib/screens/list-types.ts';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { replayEvent as replay } from '#lib/events/replay-event.ts';
import { doEach, MAX_AT_ONCE } from '#lib/screens/do-each.ts';

/** Starts the published version once more for an event. @returns the new event and its run. */
export const replayEvent = action('editor', z.strictObject({ id: z.string() }), async (ctx, { id }) => {
  const event = await replay(ctx, { id });
  return { eventId: event.id, runId: event.run_id };
});

export const replayEvents = action(
  'editor',
  z.strictObject({ ids: z.array(z.string()).max(MAX_AT_ONCE) }),
  (ctx, { ids }): Promise<BulkOutcome[]> => doEach(ids, (id) => replay(ctx, { id })),
);
