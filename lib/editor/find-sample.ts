import type { Sample } from '#lib/editor/canvas/sample-types.ts';
import { AppError } from '#lib/core/errors.ts';
import { listEvents } from '#lib/events/list-events.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadSample } from '#lib/editor/load-sample.ts';

/** Maximum number of events to try: the newest may have bodies that are no sample. */
const TRIED = 20;

/** The requested event, or else the newest of a workflow, that is a valid sample; undefined when there is none. */
export async function findSample(
  ctx: Context,
  { workflowId, eventId }: { workflowId: string; eventId?: string | undefined },
): Promise<Sample | undefined> {
  const { data } = await listEvents(ctx, { workflow_id: workflowId, limit: TRIED });
  const newest = data.filter(({ outcome }) => outcome !== 'rejected').map(({ id }) => id);
  for (const id of eventId === undefined ? newest : [eventId, ...newest]) {
    try {
      return await loadSample(ctx, { workflowId, eventId: id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return undefined;
}
