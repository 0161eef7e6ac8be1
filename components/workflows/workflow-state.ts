import type { Tone } from '#components/ui/tones.ts';
import type { RunStatus } from '#lib/engine/run-types.ts';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';

export interface WorkflowState {
  label: string;
  tone: Tone;
  /** Its effect on the next request. */
  hint: string;
}

/** The most important state of a workflow. */
export function stateOf({
  publishedVersion,
  active,
  hasUnpublishedChanges,
  broken,
}: Pick<WorkflowRow, 'publishedVersion' | 'active' | 'hasUnpublishedChanges' | 'broken'>): WorkflowState {
  if (publishedVersion === null) {
    return { label: 'Draft', tone: 'neutral', hint: 'Not published. Only its test URL works.' };
  }
  const live = `Version ${publishedVersion}`;
  if (!active)
    return { label: 'Paused', tone: 'warning', hint: `${live}. Events are saved and can be replayed.` };
  if (broken) return { label: 'Broken', tone: 'danger', hint: `${live} is published, but its runs fail.` };
  if (hasUnpublishedChanges) {
    return {
      label: 'Unpublished changes',
      tone: 'info',
      hint: `${live} is published; the draft has changes.`,
    };
  }
  return { label: 'Published', tone: 'success', hint: `${live} is published.` };
}

export const RUN_STATUS: Readonly<Record<RunStatus, { label: string; tone: Tone; live?: boolean }>> = {
  queued: { label: 'Queued', tone: 'neutral', live: true },
  running: { label: 'Running', tone: 'info', live: true },
  waiting: { label: 'Waiting', tone: 'info' },
  succeeded: { label: 'Succeeded', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};
