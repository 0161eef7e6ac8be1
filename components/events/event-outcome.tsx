import { Status } from '#components/ui/status.tsx';
import type { Tone } from '#components/ui/tones.ts';
import type { EventOutcome } from '#lib/engine/event-types.ts';

/** Labels of outcomes in the filter and the rows. */
export const OUTCOME_WORDS: Record<EventOutcome, string> = {
  triggered: 'Started a run',
  tested: 'Tested',
  not_active: 'Not active',
  response_failed: 'Response failed',
  not_forwarded: 'Not forwarded',
  recorded: 'Received',
  ignored: 'Ignored',
  rejected: 'Rejected',
};

const TONES: Record<EventOutcome, Tone> = {
  triggered: 'success',
  tested: 'info',
  not_active: 'warning',
  response_failed: 'danger',
  not_forwarded: 'neutral',
  recorded: 'neutral',
  ignored: 'warning',
  rejected: 'danger',
};

/** The outcome of a request. */
export const EventOutcomeLabel = ({ outcome }: { outcome: EventOutcome }) => (
  <Status tone={TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Status>
);
