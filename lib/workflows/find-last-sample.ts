import type { Sample } from '#lib/canvas/sample-types.ts';
import { AppError } from '#lib/errors.ts';
import { listEvents } from '#lib/events/list-events.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { loadSample } from './load-sample.ts';

/** Events that are tried: the newest may have bodies that are no sample. */
const TRIED = 20;

/** The newest event of a workflow that makes a sample; undefined when there is none. */
export async function findLastSample(
  ctx: Context,
  { workflowId }: { workflowId: string },
): Promise<Sample | undefined> {
  const { data } = await listEvents(ctx, { workflow_id: workflowId, limit: TRIED });
  for (const { id, outcome } of data) {
    if (outcome === 'rejected') continue;
    try {
      return await loadSample(ctx, { workflowId, eventId: id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return undefined;
}
