import { AppError } from '#lib/core/errors.ts';
import { listAvailableVariables } from '#lib/editor/canvas/available-variables.ts';
import { findTask, toDocument } from '#lib/editor/canvas/document.ts';
import { sampleValues } from '#lib/editor/canvas/sample-scope.ts';
import { shortValue } from '#lib/editor/canvas/short-value.ts';
import { findSample } from '#lib/editor/find-sample.ts';
import type { Context } from '#lib/identity/context.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import type { Variables } from './draft-schemas.ts';

/**
 * The variables that the editor's picker offers for a task of the draft.
 * @throws AppError `not_found` for an unknown workflow or task
 */
export async function listVariables(
  ctx: Context,
  { id, taskId, eventId }: { id: string; taskId: number; eventId: string | undefined },
): Promise<Variables> {
  const document = toDocument(await getWorkflow(ctx, { id }));
  if (!findTask(document, taskId)) throw new AppError('not_found', 'The draft has no such task.');
  const sample = await findSample(ctx, { workflowId: id, eventId });
  const groups = listAvailableVariables(document, taskId, sampleValues(document, taskId, sample));
  return {
    data: groups.flatMap((group) =>
      group.variables.map(({ path, description, value }) => ({
        task_id: group.taskId ?? null,
        from: group.title,
        variable: `{{${path}}}`,
        description: description ?? null,
        sample: value === undefined ? null : shortValue(value),
      })),
    ),
    sample_event_id: sample?.eventId ?? null,
  };
}
