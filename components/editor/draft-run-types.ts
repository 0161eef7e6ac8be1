// A run of the draft, as the editor asks for it and follows it.
import type { TaskRunStatus } from '#lib/engine/run-types.ts';

/** What a run of the draft is asked for with; exactly one of event and sample. */
export interface DraftRunRequest {
  id: string;
  draft_revision: number;
  event_id?: string | undefined;
  sample_text?: string | undefined;
  from?: { run_id: string; task_id: number } | undefined;
  /** All messages go to this number, for real; null: they are captured. */
  send_to: string | null;
  call_services: boolean;
}

/** The run that is shown on the canvas. */
export interface FollowedDraftRun {
  runId: string;
  eventId: string;
  /** What was let through, for the next run. */
  effects: Pick<DraftRunRequest, 'send_to' | 'call_services'>;
  /** Of each task the worst that happened to it so far. */
  statuses: Readonly<Record<number, TaskRunStatus>>;
}
