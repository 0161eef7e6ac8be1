import type { BulkOutcome } from './list-types.ts';
import { AppError } from '#lib/core/errors.ts';

/** How many things one call of a bulk action takes: the browser sends the next ones when these are done. */
export const MAX_AT_ONCE = 25;

/** Does something to each, one after the other. A refusal is an outcome; anything else ends it all. */
export async function doEach(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const id of ids) {
    try {
      await work(id);
      outcomes.push({ id, problem: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes.push({ id, problem: error.message });
    }
  }
  return outcomes;
}
