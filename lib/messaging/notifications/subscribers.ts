import type { Queryable } from '#lib/core/db/client.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type {
  MessageFilter,
  MessageKind,
  SubscriptionKind,
} from '#lib/messaging/schema/subscription-kinds.ts';
import { hasGateSql } from '#lib/engine/store/run-lines.ts';
import { isForCertain, saysOneOf } from '#lib/messaging/schema/shared-messages.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change } from './notification-types.ts';

/** A workflow that notifications of a connection are forwarded to. */
export interface Subscriber extends Wanted {
  workflow_id: string;
  /** Of its production URL. */
  token_hash: Buffer;
  published_version: number | null;
  /** Its runs enter a gate (docs/engine.md, "Gates"). */
  has_gate: boolean;
  /** It is active and published, or holds its runs. */
  starts_runs: boolean;
  /** Of a trigger that starts on messages; null: of a subscription. */
  trigger: MessageFilter | null;
}

const SUBSCRIBERS = `
select s.connection_id, w.id as workflow_id, w.published_version, ${hasGateSql('w')} as has_gate,
  w.published_version is not null and (w.active or w.holds_runs) as starts_runs, k.token_hash, s.kinds, s.phone_number_id, s.message_kinds, s.words, s.message_trigger
from connection_subscriptions s
join workflows w on w.id = s.workflow_id and w.deleted_at is null
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where s.connection_id = any($1::uuid[])`;

interface Row extends Omit<Subscriber, 'trigger'> {
  connection_id: string;
  message_trigger: MessageFilter | null;
}

/** Each workflow once for what is forwarded to it, and once for the messages that its trigger names. */
export const listSubscribers = async (client: Queryable, connectionId: string): Promise<Subscriber[]> =>
  (await listSubscribersOf(client, [connectionId])).get(connectionId) ?? [];

/** The same of several connections. */
export async function listSubscribersOf(
  client: Queryable,
  connectionIds: readonly string[],
): Promise<Map<string, Subscriber[]>> {
  const { rows } = await client.query<Row>({
    name: 'list_subscribers',
    text: SUBSCRIBERS,
    values: [connectionIds],
  });
  const byConnection = Map.groupBy(rows, (row) => row.connection_id);
  return new Map([...byConnection].map(([id, ofConnection]) => [id, ofConnection.flatMap(toSubscribers)]));
}

function toSubscribers({ connection_id: _, message_trigger: trigger, ...row }: Row): Subscriber[] {
  if (!trigger) return [{ ...row, trigger }];
  const { phoneNumberId, messageKinds, words } = trigger;
  const ofTrigger = { kinds: ['messages' as const], message_kinds: messageKinds, words, trigger };
  // Rows of older versions say it in `kinds`, too.
  const others = row.kinds.filter((kind) => kind !== 'messages');
  return [
    { ...row, kinds: others, trigger: null },
    { ...row, ...ofTrigger, phone_number_id: phoneNumberId },
  ];
}

/**
 * Those that a change is forwarded to. A trigger for the rest of the messages gets none that another workflow starts on whose
 * trigger is for certain words or kinds.
 * @param fields of the change, as workflows receive it; called if there are subscribers
 */
export function selectSubscribers(
  subscribers: readonly Subscriber[],
  fields: () => JsonObject,
): readonly Subscriber[] {
  const wanting = subscribers.filter((row) => wantsChange(row, fields()));
  const isTaken = wanting.some(
    ({ trigger, starts_runs: runs }) => trigger && !trigger.isForRest && isForCertain(trigger) && runs,
  );
  return isTaken ? wanting.filter((row) => !row.trigger?.isForRest) : wanting;
}

export interface Wanted {
  kinds: readonly SubscriptionKind[];
  /** Null: of every number. */
  phone_number_id: string | null;
  /** Empty: of every kind. */
  message_kinds: readonly MessageKind[];
  /** Empty: any text. */
  words: readonly string[];
}

const SUBSCRIBED_BY = {
  message: 'messages',
  status: 'statuses',
  template: 'templates',
  preference: 'preferences',
} as const satisfies Record<Exclude<Change['kind'], 'echo' | 'other'>, SubscriptionKind>;

/** The platform's types; others count as `other`. */
const KIND_OF_TYPE: Readonly<Record<string, MessageKind>> = {
  text: 'text',
  button: 'button',
  interactive: 'button',
  image: 'media',
  video: 'media',
  audio: 'media',
  voice: 'media',
  document: 'media',
  sticker: 'media',
  location: 'location',
  contacts: 'contacts',
  reaction: 'reaction',
  order: 'order',
};

/** Whether a subscription includes a change. @param fields as workflows receive it */
export function wantsChange(wanted: Wanted, fields: JsonObject): boolean {
  const kind = toText(fields['kind']) as keyof typeof SUBSCRIBED_BY;
  if (!Object.hasOwn(SUBSCRIBED_BY, kind) || !wanted.kinds.includes(SUBSCRIBED_BY[kind])) return false;
  if (kind === 'template') return true;
  if (wanted.phone_number_id !== null && wanted.phone_number_id !== fields['phone_number_id']) return false;
  return kind !== 'message' || wantsMessage(wanted, fields);
}

function wantsMessage({ message_kinds: kinds, words }: Wanted, fields: JsonObject): boolean {
  if (kinds.length > 0 && !kinds.includes(kindOf(toText(fields['type']), fields['flow_reply'] !== undefined)))
    return false;
  return words.length === 0 || saysOneOf(toText(fields['text']), words);
}

function kindOf(type: string, isFlowReply: boolean): MessageKind {
  if (isFlowReply) return 'form';
  return Object.hasOwn(KIND_OF_TYPE, type) ? (KIND_OF_TYPE[type] ?? 'other') : 'other';
}
