import type { Queryable } from '#lib/messaging/customers/queryable.ts';
import type { Wanted } from './wants-change.ts';

/** A workflow that notifications of a connection are forwarded to. */
export interface Subscriber extends Wanted {
  workflow_id: string;
  /** Of its production URL. */
  token_hash: Buffer;
}

const SUBSCRIBERS = `
select w.id as workflow_id, k.token_hash, s.kinds, s.phone_number_id, s.message_kinds, s.words
from connection_subscriptions s
join workflows w on w.id = s.workflow_id and w.deleted_at is null
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where s.connection_id = $1`;

export const listSubscribers = async (client: Queryable, connectionId: string): Promise<Subscriber[]> =>
  (await client.query<Subscriber>(SUBSCRIBERS, [connectionId])).rows;
