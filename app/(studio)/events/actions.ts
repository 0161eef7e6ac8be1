'use server';
import * as z from 'zod';
import type { BulkOutcome } from '#lib/screens/list-types.ts';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { planReplay as plan, replayEvent as replay } from '#lib/events/replay-event.ts';
import { describeReplay, previewReplay } from '#lib/events/replay/replay-matching.ts';
import { hidesNumbersFrom } from '#lib/messaging/mask.ts';
import { toListInput, doEach, MAX_AT_ONCE } from '#lib/screens/list-filter.ts';
import { eventFilterSchema } from '#lib/screens/read-events.ts';
import { replayEventSchema } from '#lib/events/schema.ts';

const idsSchema = z.strictObject({ ids: z.array(z.string()).max(MAX_AT_ONCE) });

/** Starts the published version for an event. @returns the new event and its run. */
export const replayEvent = action(
  'editor',
  replayEventSchema.extend({ id: z.string() }),
  async (ctx, input) => {
    const event = await replay(ctx, input);
    return { eventId: event.id, runId: event.run_id };
  },
);

/** Previews what replaying events would send again. */
export const planReplay = action('editor', idsSchema, (ctx, input) => plan(ctx, input));

/** Finds all matching events, and previews what replaying them would send. */
export const findReplayable = action(
  'editor',
  z.strictObject({ filter: z.record(z.string(), z.string()) }),
  async (ctx, { filter }) => {
    const { outcome, ...list } = eventFilterSchema.parse(filter);
    const { workflow_id, text, fromMs, toMs } = toListInput(list);
    const hidesNumbers = hidesNumbersFrom(ctx);
    const found = await previewReplay(ctx, { workflow_id, text, fromMs, toMs, outcome, hidesNumbers });
    const toId = ({ id }: { id: string }) => id;
    return {
      ids: found.fresh.map(toId),
      repeatIds: found.ran.map(toId),
      words: describeReplay(found.preview),
    };
  },
);

export const replayEvents = action(
  'editor',
  replayEventSchema.extend(idsSchema.shape),
  (ctx, { ids, repeat }): Promise<BulkOutcome[]> => doEach(ids, (id) => replay(ctx, { id, repeat })),
);
