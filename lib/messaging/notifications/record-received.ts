import type { Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { wordKeys } from '#lib/messaging/conversations/received-words.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { ChangeEvent } from './forward-changes.ts';
import type { MessageChange } from './notification-types.ts';

/** A customer's message, with the events that it is stored as. */
export interface ReceivedMessage {
  workspaceId: string;
  change: MessageChange;
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

const WORDS = { word_event_id: 'uuid', word_workspace_id: 'uuid', words: 'text' } as const;

const PROFILES = { workspace_id: 'uuid', name: 'text', profile_name: 'text' } as const;

/** After the profiles, the time and the messages. */
const WORDS_FROM = 5 + Object.keys(MESSAGES).length;

/** Most profile names are known already, and not written again. In the order of the names, as all that locks them. */
const RECORD = `
with renamed as (
  update customer_names n set profile_name = changed.profile_name from (
    select k.workspace_id, k.name, reported.profile_name
    from ${unnest(PROFILES, 1)} as reported(${namesOf(PROFILES)})
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
select ${namesOf(MESSAGES)}, $4::timestamptz
from ${unnest(MESSAGES, 5)} as received(${namesOf(MESSAGES)}) order by workspace_id, message_id, event_id
on conflict do nothing`;

const MAX_CHARACTERS = 200;

/** What the platform says in words: PostgreSQL has no U+0000 in texts. */
const cut = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_CHARACTERS);

/**
 * Stores that customers wrote, the words of it, and what they call themselves. Their names are stored by then.
 * @param client of the transaction that stores the events
 */
export async function recordReceived(
  client: Queryable,
  messages: readonly ReceivedMessage[],
  receivedAt: Date,
): Promise<void> {
  if (messages.length === 0) return;
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
    values: [...profiles.parameters, receivedAt, ...columns.parameters, ...words.parameters],
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
