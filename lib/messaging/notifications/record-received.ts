import type { Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { wordKeys } from '#lib/messaging/conversations/received-words.ts';
import { toText } from '#lib/variables/to-text.ts';
import { ANSWER_HOURS } from '#lib/messaging/schema/report-groupings.ts';
import type { ChangeEvent } from './forward-changes.ts';
import type { MessageChange } from './notification-types.ts';

/** A customer's message, with the events that it is stored as. */
export interface ReceivedMessage {
  workspaceId: string;
  change: MessageChange;
  /** All names of the customer; empty: it is in a group, or the platform does not identify the sender. */
  names: readonly string[];
  /** What workflows get as its text. */
  text: string;
  events: readonly ChangeEvent[];
}

const MESSAGES = {
  workspace_id: 'uuid',
  message_id: 'text',
  event_id: 'uuid',
  customer: 'text',
  phone_number_id: 'text',
  type: 'text',
  run_id: 'uuid',
} as const;

/** Each message under each name of its customer; `answer`: its number. */
const ANSWERS = {
  workspace_id: 'uuid',
  answer: 'int',
  name: 'text',
  phone_number_id: 'text',
  at: 'timestamptz',
} as const;

const WORDS = { word_event_id: 'uuid', word_workspace_id: 'uuid', words: 'text' } as const;

const PROFILES = { workspace_id: 'uuid', name: 'text', profile_name: 'text' } as const;

/** After the answers, the profiles, the time and the messages. */
const WORDS_FROM = 10 + Object.keys(MESSAGES).length;

/**
 * A message answers the last one that was sent to the customer from the same number in the 24 hours before, if that did not fail. The
 * platform reports the second of a message. Only the first answer counts, in whichever order answers arrive.
 *
 * The row comparisons let the index over the customer's messages be read from its end, whatever statistics say.
 *
 * Most profile names are known already, and not written again. In the order of the names, as all that locks them.
 */
const RECORD = `
with answers as (
  select distinct on (a.answer) s.workspace_id, s.message_id, greatest(a.at, s.created_at) as at
  from ${unnest(ANSWERS, 1)} as a(${namesOf(ANSWERS)})
  cross join lateral (
    select workspace_id, message_id, created_at from sent_messages
    where workspace_id = a.workspace_id and (recipient, created_at) < (a.name, a.at + interval '1 second')
      and (recipient, created_at) > (a.name, a.at - interval '${ANSWER_HOURS} hours')
      and phone_number_id = a.phone_number_id and status <> 'failed'
    order by workspace_id desc, recipient desc, created_at desc limit 1
  ) s order by a.answer, s.created_at desc
), answered as (
  update sent_messages m set answered_at = changed.at from (
    select k.workspace_id, k.message_id, a.at
    from (select workspace_id, message_id, min(at) as at from answers group by 1, 2) a
    join sent_messages k on k.workspace_id = a.workspace_id and k.message_id = a.message_id
    where k.answered_at is null or k.answered_at > a.at
    order by k.workspace_id, k.message_id for no key update of k
  ) changed where m.workspace_id = changed.workspace_id and m.message_id = changed.message_id
), renamed as (
  update customer_names n set profile_name = changed.profile_name from (
    select k.workspace_id, k.name, reported.profile_name
    from ${unnest(PROFILES, 6)} as reported(${namesOf(PROFILES)})
    join customer_names k on k.workspace_id = reported.workspace_id and k.name = reported.name
    where k.profile_name is distinct from reported.profile_name
    order by k.workspace_id, k.name for no key update of k
  ) changed where n.workspace_id = changed.workspace_id and n.name = changed.name
), worded as (
  insert into received_words (event_id, workspace_id, words)
  select word_event_id, word_workspace_id, string_to_array(words, ' ')
  from ${unnest(WORDS, WORDS_FROM)} as written(${namesOf(WORDS)}) order by word_event_id
  on conflict do nothing
)
insert into received_messages (${namesOf(MESSAGES)}, received_at)
select ${namesOf(MESSAGES)}, $9::timestamptz
from ${unnest(MESSAGES, 10)} as received(${namesOf(MESSAGES)}) order by workspace_id, message_id, event_id
on conflict do nothing`;

const MAX_CHARACTERS = 200;

/** What the platform says in words: PostgreSQL has no U+0000 in texts. */
const cut = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_CHARACTERS);

/**
 * Stores that customers wrote, which messages that answers, the words of it, and what they call themselves. Their names are stored
 * by then.
 * @param client of the transaction that stores the events
 */
export async function recordReceived(
  client: Queryable,
  messages: readonly ReceivedMessage[],
  receivedAt: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const answers = new Columns(ANSWERS);
  for (const [answer, { workspaceId, change, names }] of messages.entries())
    for (const name of names)
      answers.add([workspaceId, answer, name, change.phoneNumberId, change.at.getTime()]);
  const profiles = new Columns(PROFILES);
  for (const { workspaceId, name, profileName } of lastProfiles(messages))
    profiles.add([workspaceId, name, profileName]);
  const columns = new Columns(MESSAGES);
  const words = new Columns(WORDS);
  for (const { workspaceId, change, text, events } of messages) {
    const keys = wordKeys(workspaceId, receivedAt, text);
    for (const { id, runId } of events) {
      if (keys.length > 0) words.add([id, workspaceId, keys.join(' ')]);
      columns.add([
        workspaceId,
        change.messageId,
        id,
        change.from,
        change.phoneNumberId,
        cut(toText(change.raw['type'])) || 'unknown',
        runId,
      ]);
    }
  }
  await client.query({
    name: 'record_received',
    text: RECORD,
    values: [
      ...answers.parameters,
      ...profiles.parameters,
      receivedAt,
      ...columns.parameters,
      ...words.parameters,
    ],
  });
}

/** The last profile name under each of the customers' names. */
function lastProfiles(
  messages: readonly ReceivedMessage[],
): { workspaceId: string; name: string; profileName: string }[] {
  const profiles = messages.flatMap(({ workspaceId, change }) => {
    const profileName = cut(change.fromName ?? '').trim();
    const names = [...new Set([change.from, change.number, change.fromUserId ?? ''])].filter(Boolean);
    return profileName === '' ? [] : names.map((name) => ({ workspaceId, name, profileName }));
  });
  return [...new Map(profiles.map((each) => [`${each.workspaceId} ${each.name}`, each])).values()];
}
