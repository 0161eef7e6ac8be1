import type { BulkOutcome } from './list-types.ts';
import { AppError } from '#lib/core/errors.ts';

/** Maximum number of items per call of a bulk action: the browser sends the next ones afterwards. */
export const MAX_AT_ONCE = 25;

/** Applies an action to each item, one after the other. A refusal is an outcome; any other error ends the call. */
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
