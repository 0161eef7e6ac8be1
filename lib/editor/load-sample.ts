import type { Sample, SampleTask } from './canvas/sample-scope.ts';
import { getEvent, listEvents } from '#lib/events/read-events.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { getRun } from '#lib/runs/get-run.ts';
import type { TaskRunView } from '#lib/runs/schema.ts';
import { AppError, nullIfMissing } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { findZoneOfRun } from '#lib/messaging/customers/customer-zone.ts';
import { SAMPLE_EVENTS } from '#lib/workflows/newest-events.ts';

/** Maximum characters of JSON sent to an editor for one event or output: it is only displayed. */
const MAX_CHARACTERS = 1_000_000;

/**
 * An event of a workflow with the outputs of its run, as returned by getRun, for the editor. For tasks in loops the first
 * iteration counts.
 * @throws AppError `not_found`; `invalid_request` when its body is no JSON object or too large for a sample
 */
export async function loadSample(
  ctx: Context,
  { workflowId, eventId, asRecorded = false }: { workflowId: string; eventId: string; asRecorded?: boolean },
): Promise<Sample> {
  const event = await getEvent(ctx, { id: eventId });
  if (event.workflow_id !== workflowId) throw new AppError('not_found', 'This event does not exist.');
  const body = event.body as JsonValue;
  if (event.body_format !== 'json' || !isJsonObject(body))
    throw new AppError(
      'invalid_request',
      'The body of this event is not a JSON object, so it has no variables.',
    );
  const bodyText = stringifyJson(body);
  if (bodyText.length > MAX_CHARACTERS)
    throw new AppError(
      'invalid_request',
      'The body of this event is too large for a sample. Select a smaller one.',
    );
  const tasks = event.run_id === null ? [] : await loadTasks(ctx, event.run_id, asRecorded);
  const customerZone = event.run_id === null ? undefined : await findZoneOfRun(ctx, event.run_id, new Date());
  return {
    eventId: event.id,
    kind: event.kind,
    receivedAt: event.received_at,
    bodyText,
    headers: event.headers,
    tasks: toSampleTasks(tasks),
    ...(customerZone !== undefined && { customerZone }),
  };
}

/** None of a run that was removed after its retention, while a later run needed the event. */
async function loadTasks(ctx: Context, id: string, asRecorded: boolean): Promise<TaskRunView[]> {
  return (await getRun(ctx, { id, asRecorded }).catch(nullIfMissing))?.tasks ?? [];
}

function toSampleTasks(tasks: readonly TaskRunView[]): SampleTask[] {
  const first = new Map<number, SampleTask>();
  for (const { task_id, status, output, run, run_text } of tasks) {
    if (first.has(task_id) || status === 'skipped') continue;
    const text = output === null ? undefined : stringifyJson(output as JsonValue);
    first.set(task_id, {
      taskId: task_id,
      outputText: text !== undefined && text.length <= MAX_CHARACTERS ? text : undefined,
      run: run ?? undefined,
      runText: run_text ?? undefined,
    });
  }
  return [...first.values()];
}

/** The requested event, or else the newest of a workflow, that is a valid sample; undefined when there is none. */
export async function findSample(
  ctx: Context,
  { workflowId, eventId }: { workflowId: string; eventId?: string | undefined },
): Promise<Sample | undefined> {
  const { data } = await listEvents(ctx, { workflow_id: workflowId, limit: SAMPLE_EVENTS });
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
