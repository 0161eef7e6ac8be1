// Types of draft runs in the editor.
import type { TaskRunStatus } from '#lib/engine/run-types.ts';

/** Request for a run of the draft; exactly one of event and sample. */
export interface DraftRunRequest {
  id: string;
  draft_revision: number;
  event_id?: string | undefined;
  sample_text?: string | undefined;
  from?: { run_id: string; task_id: number } | undefined;
  /** All messages really go to this number; null: they are captured. */
  send_to: string | null;
  call_services: boolean;
}

/** The run shown on the canvas. */
export interface FollowedDraftRun {
  runId: string;
  eventId: string;
  /** The effects that were let through, as the next run's default. */
  effects: Pick<DraftRunRequest, 'send_to' | 'call_services'>;
  /** The worst status of each task so far. */
  statuses: Readonly<Record<number, TaskRunStatus>>;
}
