import type { ReplayPreview } from './schema.ts';

/** Describes a replay of all matching events, one sentence per effect. */
export function describeReplay(preview: ReplayPreview): string[] {
  const { new_events: fresh, already_ran: ran } = preview;
  const left = [
    named(preview.tests, 'test request'),
    named(preview.receipts, 'delivery receipt'),
    named(preview.rejected, 'rejected request'),
  ];
  const skipped = left.filter((words) => words !== '');
  return [
    `${named(fresh, 'new event') || 'No new events'}${ran > 0 ? `, ${ran.toLocaleString('en')} that already ran` : ''}.`,
    ...(skipped.length > 0 ? [`Not replayed: ${skipped.join(', ')}.`] : []),
    ...(fresh > 0 ? describeMessages(preview) : []),
    ...(preview.is_complete
      ? []
      : ['More events match than are counted here. Filter by time to see all of them.']),
  ];
}

function describeMessages({
  messages,
  people,
  unknown_recipients: unknown,
  has_loops: hasLoops,
}: ReplayPreview): string[] {
  if (messages === 0) return ['Their workflows send no messages. Requests to other services are sent.'];
  const to = people > 0 ? ` to ${people === 1 ? '1 person' : `${people.toLocaleString('en')} people`}` : '';
  return [
    `${hasLoops ? '' : 'Up to '}${named(messages, 'message')}${hasLoops ? ' or more' : ''} can leave${to}. The branches that the workflows take decide.`,
    ...(unknown > 0 && unknown < messages
      ? [`For ${named(unknown, 'message')} the recipient is known only when the workflow runs.`]
      : []),
    ...(unknown === messages ? ['Who receives them is known only when the workflows run.'] : []),
  ];
}

function named(count: number, noun: string): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
