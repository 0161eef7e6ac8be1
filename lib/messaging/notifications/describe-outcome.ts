import type { Change } from './notification-types.ts';
import type { KeptNotification } from './keep-notifications.ts';
import { REASONS, STATUS_REASONS } from './outcome-reasons.ts';
import type { TakenBy } from './tell-waiting-runs.ts';

/** The outcome of a change that no workflow got, and why. */
export function describeOutcome(
  change: Change,
  takenBy: readonly TakenBy[],
): Pick<KeptNotification, 'outcome' | 'reason' | 'runId'> {
  const [first] = takenBy;
<<<<<<< HEAD
  if (first)
    return { outcome: 'recorded', reason: 'Passed to the run that was waiting for it.', runId: first.runId };
=======
  if (first) return { outcome: 'recorded', reason: REASONS.awaited, runId: first.runId };
>>>>>>> 32d5b63 (Screens, mails and comments say it in the field's words)
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
    case 'other':
      return { outcome: change.isKnown ? 'recorded' : 'ignored', reason: change.reason };
  }
}
