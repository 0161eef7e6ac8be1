import { AppError } from '#lib/core/errors.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { replayEvent } from '../replay-event.ts';
import { findMatching, type ReplayFilter } from './find-matching.ts';
import type { ReplayResult } from './schema.ts';

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
