import { Status, type Tone } from '#components/ui/badge.tsx';
import { Deadline } from '#components/ui/relative-time.tsx';
import { hasNoTime } from '#lib/runs/list-waits.ts';
import type { RunDelivery } from '#lib/runs/schema.ts';
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';

type AnyStatus = RunStatus | TaskRunStatus;

export const STATUS_WORDS: Record<AnyStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
  outcome_unknown: 'Outcome unknown',
};

export const STATUS_TONES: Record<AnyStatus, Tone> = {
  queued: 'neutral',
  running: 'info',
  waiting: 'accent',
  succeeded: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  skipped: 'neutral',
  outcome_unknown: 'warning',
};

/** The status of a run or of a task run. */
export const RunStatusLabel = ({ status }: { status: AnyStatus }) => (
  <Status tone={STATUS_TONES[status]} live={status === 'running' || status === 'queued'}>
    {STATUS_WORDS[status]}
  </Status>
);

export const DELIVERY_WORDS: Record<RunDelivery, string> = { undelivered: 'Not delivered' };

/** Beside the status of a run: a message of it was not delivered, although its tasks may have succeeded. */
export const RunDeliveryLabel = ({ delivery }: { delivery: RunDelivery | null }) =>
  delivery && <Status tone="danger">{DELIVERY_WORDS[delivery]}</Status>;

/** When a wait ends, if what is waited for has a time. */
export const WaitEnd = ({ waitsFor, at }: { waitsFor: string | null; at: string }) =>
  hasNoTime(waitsFor) ? null : (
    <>
      {' '}
      until <Deadline at={at} />
    </>
  );

/** What a run waits for that may not begin yet. @param before the number of runs before it in its workflow */
export function describeGate(before: number): string {
  if (before === 0) return 'Waits until its workflow is resumed';
  return before === 1 ? 'Waits for 1 run' : `Waits for ${before.toLocaleString('en')} runs`;
}
