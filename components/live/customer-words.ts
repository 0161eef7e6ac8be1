// What customers are called on screens.
import type { AttributeType } from '#lib/messaging/schema/attribute-types.ts';
import type { Evidence, HoldDeadlines, HoldSends } from '#lib/messaging/schema/consent-types.ts';
import type { CustomerSummary } from '#lib/screens/customer-schema.ts';

/** "+491711234567"; of a masked one "••••4567". */
export const writeNumber = (number: string): string => (/^\d/.test(number) ? `+${number}` : number);

type Named = Pick<CustomerSummary, 'numbers' | 'user_ids' | 'profile_name'>;

/** The name, else the number, else the user id of a customer. */
export const nameCustomer = ({ numbers, user_ids: userIds, profile_name: name }: Named): string =>
  name ?? (numbers[0] === undefined ? (userIds[0] ?? 'Customer') : writeNumber(numbers[0]));

/** All numbers, else the user ids, of a customer. */
export const describeNames = ({ numbers, user_ids: userIds }: Named): string =>
  (numbers.length > 0 ? numbers.map(writeNumber) : userIds).join(', ');

/** Whether a text is the platform's id of a message. */
export const isMessageId = (text: string): boolean => /^wamid\.\S+$/.test(text.trim());

/** The page of a message. */
export const messageHref = (id: string): string => `/messages/${encodeURIComponent(id)}`;

/** The platform’s word for a kind of message, for users: "Text", "Cta url". */
export const kindWords = (kind: string): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/** The value of an attribute: "Yes", "1250.5". */
export function writeAttribute(type: AttributeType, value: string | number | boolean): string {
  if (type === 'yes_no') return value === true ? 'Yes' : 'No';
  return String(value);
}

/** Where a change of a customer's data came from. */
export const EVIDENCE_WORDS: Readonly<Record<Evidence['kind'], string>> = {
  message: 'the customer wrote it',
  preference: 'reported by the platform',
  platform_error: 'the platform refused a message',
  echo: 'staff wrote in the phone app',
  run: 'set by a workflow',
  user: 'set by hand',
  api: 'set through the API',
  import: 'imported',
};

/** What a workflow's message does during a hold. */
export const HOLD_SENDS_OPTIONS: readonly { value: HoldSends; label: string }[] = [
  { value: 'suppress', label: 'Don’t send it; its task fails' },
  { value: 'wait', label: 'Wait, and send when the hold ends' },
];

/** What the time limits of questions do during a hold. */
export const HOLD_DEADLINES_OPTIONS: readonly { value: HoldDeadlines; label: string }[] = [
  { value: 'run', label: 'Keep running' },
  { value: 'stand_still', label: 'Pause during the hold' },
];

/** What an erasure removes, by kind. */
const ERASED_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  events: ['event', 'events'],
  events_cleaned: ['event that is about others, too', 'events that are about others, too'],
  runs: ['run', 'runs'],
  runs_cancelled: ['run in progress, cancelled', 'runs in progress, cancelled'],
  runs_emptied: ['run emptied', 'runs emptied'],
  runs_cleaned: ['run that is for others, too', 'runs that are for others, too'],
  task_runs_cleaned: ['task run in such a run', 'task runs in such runs'],
  messages_sent: ['sent message', 'sent messages'],
  messages_received: ['received message', 'received messages'],
  statuses: ['status of a message', 'statuses of messages'],
  files: ['file', 'files'],
  names: ['number or user ID', 'numbers and user IDs'],
  windows: ['24-hour window', '24-hour windows'],
  consents: ['consent', 'consents'],
  consent_evidence: ['piece of evidence of consent', 'pieces of evidence of consent'],
  holds: ['hold', 'holds'],
  attributes: ['attribute', 'attributes'],
  confirmations: ['confirmation of a stop', 'confirmations of stops'],
  list_rows: ['row of a list', 'rows of lists'],
  lists: ['name of a list', 'names of lists'],
  alerts: ['alert', 'alerts'],
  mails: ['mail', 'mails'],
  audit_entries: ['audit entry', 'audit entries'],
  approvals: ['question for approval', 'questions for approval'],
  drafts: ['run of a draft', 'runs of drafts'],
  search_keys: ['search key', 'search keys'],
};

/** "12 sent messages", of each kind that there is any of and that users know. */
export const describeErased = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(ERASED_WORDS).flatMap(([kind, [one, many]]) => {
    const rows = counts[kind] ?? 0;
    return rows === 0 ? [] : [`${rows.toLocaleString('en')} ${rows === 1 ? one : many}`];
  });
