// Adds the platform's statuses of a message to the trace of the run that sent it. The trace is derived from the run's event,
// which is read once for all concurrent statuses, after their notification was processed.
import type { Logger } from 'pino';
import type { Queryable } from '#lib/core/db/client.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { type EndedSpan, newSpanId, nowMs } from './span-writer.ts';
import { traceOfRun, type TraceRules } from './trace-of-event.ts';

interface Told {
  status: string;
  error: string;
  run: { id: string; taskId: number; iteration: string };
  atMs: number;
}

interface RunRow {
  id: string;
  workspace_id: string;
  workflow_id: string;
  version: number;
  event_id: string;
  is_replay: boolean;
  headers: Record<string, string>;
}

const RUNS = `
select r.id, r.workspace_id, r.workflow_id, r.version, r.event_id, e.replay_of is not null as is_replay, e.headers
from runs r join events e on e.id = r.event_id where r.id = any($1::uuid[])`;

/** Statuses that wait to be read; further ones have no span. */
const MAX_TOLD = 2000;

export interface StatusDeps {
  pool: Queryable;
  logger: Pick<Logger, 'debug'>;
  rules: TraceRules;
  write: (span: EndedSpan) => void;
}

export function followStatuses({ pool, logger, rules, write }: StatusDeps): void {
  let waiting: Told[] = [];
  let isReading = false;

  const read = async (): Promise<void> => {
    const told = waiting;
    waiting = [];
    const ids = [...new Set(told.map(({ run }) => run.id))];
    const { rows } = await pool.query<RunRow>(RUNS, [ids]);
    const runs = new Map(rows.map((row) => [row.id, row]));
    for (const each of told) {
      const row = runs.get(each.run.id);
      const span = row && toSpan(each, row, rules);
      if (span) write(span);
    }
  };

  const readAll = async (): Promise<void> => {
    isReading = true;
    try {
      while (waiting.length > 0) await read();
    } catch (error) {
      logger.debug({ err: error }, 'statuses of messages have no spans');
    } finally {
      isReading = false;
    }
  };

  telemetry.messageStatus.listen(({ status, error, run }) => {
    if (!run) return;
    if (waiting.length >= MAX_TOLD) return telemetry.spans.tell({ outcome: 'queue_full', count: 1 });
    waiting.push({ status, error, run, atMs: nowMs() });
    if (!isReading && waiting.length === 1) setImmediate(() => void readAll());
  });
}

function toSpan({ status, error, run, atMs }: Told, row: RunRow, rules: TraceRules): EndedSpan | undefined {
  const { event_id: id, is_replay: isReplay, headers } = row;
  const told = {
    id: row.id,
    workspaceId: row.workspace_id,
    workflowId: row.workflow_id,
    version: row.version,
    event: { id, isReplay, headers },
  };
  const trace = traceOfRun(told, rules);
  if (!trace.isSampled) return undefined;
  return {
    trace,
    spanId: newSpanId(),
    parentId: trace.entryId,
    name: `message ${status}`,
    startMs: atMs,
    endMs: atMs,
    attributes: {
      'patchbay.run.id': run.id,
      'patchbay.task.id': run.taskId,
      ...(run.iteration !== '' && { 'patchbay.task.iteration': run.iteration }),
      'patchbay.message.status': status,
    },
    error: status === 'failed' ? error : undefined,
  };
}
