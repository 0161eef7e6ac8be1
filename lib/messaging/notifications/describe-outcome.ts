import type { Change } from './notification-types.ts';
import type { KeptNotification } from './keep-notifications.ts';
import { ECHO_REASONS, REASONS, STATUS_REASONS } from './outcome-reasons.ts';
import type { TakenBy } from './tell-waiting-runs.ts';

/** The outcome of a change that no workflow got, and why. */
export function describeOutcome(
  change: Change,
  takenBy: readonly TakenBy[],
): Pick<KeptNotification, 'outcome' | 'reason' | 'runId'> {
  const [first] = takenBy;
  if (first) return { outcome: 'recorded', reason: REASONS.awaited, runId: first.runId };
  switch (change.kind) {
    case 'message':
      return { outcome: 'not_forwarded', reason: REASONS.message };
    case 'status':
      return { outcome: 'recorded', reason: STATUS_REASONS[change.status] };
    case 'template':
      return { outcome: 'not_forwarded', reason: REASONS.template };
    case 'preference':
      return {
        outcome: 'recorded',
        reason: `${REASONS.preference} ${change.category || 'messages'}: ${change.preference || 'unknown'}.`,
      };
    case 'echo':
      return { outcome: 'recorded', reason: ECHO_REASONS[change.field] };
    case 'other':
      return { outcome: change.isKnown ? 'recorded' : 'ignored', reason: change.reason };
  }
}
