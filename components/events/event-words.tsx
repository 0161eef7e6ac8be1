import { Status, type Tone } from '#components/ui/badge.tsx';
import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import type { ReplayPlan } from '#lib/events/replay-event.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export const EVENT_KIND_WORDS: Record<EventKind, string> = {
  production: 'Production',
  test: 'Test',
  notification: 'Notification',
  schedule: 'Schedule',
  list: 'Row of a list',
  call: 'Called by a run',
};

/** Labels of outcomes in the filter and the rows. */
export const OUTCOME_WORDS: Record<EventOutcome, string> = {
  triggered: 'Started a run',
  collected: 'Joined a run',
  tested: 'Tested',
  duplicate: 'Duplicate',
  not_active: 'Not active',
  response_failed: 'Response failed',
  not_forwarded: 'Not forwarded',
  recorded: 'Received',
  ignored: 'Ignored',
  rejected: 'Rejected',
};

const TONES: Record<EventOutcome, Tone> = {
  triggered: 'success',
  collected: 'success',
  tested: 'info',
  duplicate: 'neutral',
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

const AT_ONCE = 25;

type PlanReplay = (input: { ids: string[] }) => Promise<ActionResult<ReplayPlan>>;

/** Adds up what replaying all of these would repeat. @throws Error with a message for users */
export async function sumPlans(ids: readonly string[], planReplay: PlanReplay): Promise<ReplayPlan> {
  const sum = { events: 0, messages: 0 };
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const result = await planReplay({ ids: ids.slice(from, from + AT_ONCE) });
    if (!result.ok) throw new Error(result.error.message);
    sum.events += result.data.events;
    sum.messages += result.data.messages;
  }
  return sum;
}

/** Warns before replaying events that ran. */
export function explainReplay({ events, messages }: ReplayPlan): string {
  const ran = events === 1 ? 'This event already ran' : `${events} events already ran`;
  if (messages === 0) return `${ran} and sent no message that is recorded here. Requests are repeated.`;
  const sent = messages === 1 ? 'One message that was sent is' : `${messages} messages that were sent are`;
  return `${ran}. ${sent} sent again, so customers may get duplicates.`;
}
