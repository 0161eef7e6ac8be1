import type { Queryable } from '#lib/core/db/client.ts';
import type { MessageFilter } from '#lib/messaging/schema/message-start-types.ts';
import type { Wanted } from './wants-change.ts';

/** A workflow that notifications of a connection are forwarded to. */
export interface Subscriber extends Wanted {
  workflow_id: string;
  /** Of its production URL. */
  token_hash: Buffer;
}

const SUBSCRIBERS = `
select w.id as workflow_id, k.token_hash, s.kinds, s.phone_number_id, s.message_kinds, s.words, s.message_trigger
from connection_subscriptions s
join workflows w on w.id = s.workflow_id and w.deleted_at is null
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where s.connection_id = $1`;

interface Row extends Subscriber {
  message_trigger: MessageFilter | null;
}

/** Each workflow once for what is forwarded to it, and once for the messages that its trigger names. */
export async function listSubscribers(client: Queryable, connectionId: string): Promise<Subscriber[]> {
  const { rows } = await client.query<Row>(SUBSCRIBERS, [connectionId]);
  return rows.flatMap(({ message_trigger: trigger, ...row }) => {
    if (!trigger) return [row];
    const { phoneNumberId, messageKinds, words } = trigger;
    const ofTrigger = { kinds: ['messages' as const], message_kinds: messageKinds, words };
    // Rows of older versions say it in `kinds`, too.
    const others = row.kinds.filter((kind) => kind !== 'messages');
    return [
      { ...row, kinds: others },
      { ...row, ...ofTrigger, phone_number_id: phoneNumberId },
    ];
  });
}
