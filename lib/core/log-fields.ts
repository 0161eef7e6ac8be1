// The field names of ids in log lines, defined only here.
import { type ObservedEvent, traceIdOf } from './telemetry.ts';

const NAMES = {
  eventId: 'event_id',
  runId: 'run_id',
  taskId: 'task_id',
  iteration: 'iteration',
  workflowId: 'workflow_id',
  connectionId: 'connection_id',
  messageId: 'message_id',
  mailId: 'mail_id',
  deliveryId: 'delivery_id',
  listId: 'list_id',
  jobId: 'job_id',
  requestId: 'request_id',
} as const;

/** Left out, undefined or empty: the line has no such field. */
export type Subject = { [Name in keyof typeof NAMES]?: string | number | undefined } & {
  /** Sets `event_id` and the trace that the event belongs to. */
  event?: ObservedEvent | undefined;
};

/** Fields of a log line: `logger.error({ err, ...about({ runId, taskId }) }, 'what happened')`. */
export function about({ event, ...subject }: Subject): Record<string, string | number> {
  const fields: Record<string, string | number> = {};
  for (const [name, value] of Object.entries({ eventId: event?.id, ...subject }))
    if (value !== undefined && value !== '') fields[NAMES[name as keyof typeof NAMES]] = value;
  return event ? { ...fields, ...traceIdOf(event) } : fields;
}
