import type { RunError, RunStatus } from '#lib/engine/run-types.ts';
import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import type { RunSummary } from './schema.ts';

/** The columns of a summary, of the table `runs` as `r`. */
export const RUN_COLUMNS = `r.id, r.workflow_id, r.version, r.event_id, r.status, r.created_at, r.started_at, r.finished_at,
  r.resume_at, r.error, r.retry_of, r.awaited`;

export interface RunRow {
  id: string;
  workflow_id: string;
  version: number;
  event_id: string;
  status: RunStatus;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  resume_at: Date | null;
  error: RunError | null;
  retry_of: string | null;
  awaited: boolean;
}

export const toRunSummary = (row: RunRow): RunSummary => ({
  ...row,
  version: row.version > 0 ? row.version : null,
  draft_revision: draftRevisionOf(row.version),
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  resume_at: row.resume_at?.toISOString() ?? null,
});
