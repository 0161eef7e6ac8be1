import type { Change } from './notification-types.ts';
import type { KeptNotification } from './keep-notifications.ts';
import type { TakenBy } from './tell-waiting-runs.ts';

/** The outcome of a change that no workflow got, and why. */
export function describeOutcome(
  change: Change,
  takenBy: readonly TakenBy[],
): Pick<KeptNotification, 'outcome' | 'reason' | 'runId'> {
  const [first] = takenBy;
  if (first)
    return { outcome: 'recorded', reason: 'Passed to the run that was waiting for it.', runId: first.runId };
  switch (change.kind) {
    case 'message':
      return {
        outcome: 'not_forwarded',
        reason: 'No workflow is subscribed to incoming messages of this number.',
      };
    case 'status':
      return { outcome: 'recorded', reason: `Recorded with its message: ${change.status}.` };
    case 'template':
      return {
        outcome: 'not_forwarded',
        reason: 'No workflow is subscribed to template reviews of this connection.',
      };
    case 'preference':
      return {
        outcome: 'recorded',
        reason: `The customer’s choice about ${change.category || 'messages'}: ${change.preference || 'unknown'}.`,
      };
    case 'other':
      return { outcome: change.isKnown ? 'recorded' : 'ignored', reason: change.reason };
  }
}
