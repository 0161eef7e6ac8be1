import type { Queryable } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { SETTINGS_AS_JSON } from '#lib/messaging/consent/consent-settings.ts';
import { CONSENT_DEFAULTS } from '#lib/messaging/consent/consent-words.ts';
import type { ConsentSettings } from '#lib/messaging/consent/schema.ts';
import type { Customer } from '#lib/messaging/customers/customer-names.ts';
import { NOTICED_FIELDS, type NoticedField } from '#lib/messaging/schema/notice-types.ts';
import { toText } from '#lib/variables/to-text.ts';
import { noteStatusTroubles } from '#lib/messaging/troubles/note-trouble.ts';
import { flattenChange } from './flatten-change.ts';
import {
  type FlatChange,
  type Forwarded,
  forwardChanges,
  keepNotifications,
  type RecordedChange,
} from './forward-changes.ts';
import { type Incoming, toIncomingMessage, toIncomingStatus } from './incoming.ts';
import type {
  Change,
  ChangeOwner,
  ConversationChange,
  MessageChange,
  Owned,
  StatusChange,
} from './notification-types.ts';
import { notifyWaitingRuns } from './notify-waiting-runs.ts';
import { recordConsentChanges } from './record-consent.ts';
import { claimChanges, claimKey, isSystem, recordChanges } from './record-change.ts';
import { type ReceivedMessage, recordReceived } from './record-received.ts';

/** A notification, or a part of it, for one connection. */
export interface Delivery {
  owner: ChangeOwner;
  changes: readonly Change[];
  /** A body that is not JSON instead of changes. */
  unread?: { key: string; body: Buffer; reason: string };
}

export interface StoredCount {
  /** Changes that were not received before. */
  changes: number;
  /** Events of workflows. */
  forwarded: number;
  /** Events without a workflow. */
  kept: number;
}

/** `last_notification_at` is to the minute. */
export const IS_ARRIVAL_OLD = `(last_notification_at is null or last_notification_at < now() - interval '1 minute')`;

const CONNECTIONS = {
  name: 'find_notified_connections',
  text: `
select c.id, ${IS_ARRIVAL_OLD} as is_arrival_old, case when s.workspace_id is not null then ${SETTINGS_AS_JSON} end as consent
from connections c left join consent_settings s on s.workspace_id = c.workspace_id where c.id = any($1::uuid[])`,
};

const NOTE_ARRIVALS = {
  name: 'note_arrivals',
  text: `update connections set last_notification_at = now() where id in (
    select id from connections where id = any($1::uuid[]) and ${IS_ARRIVAL_OLD} order by id for update)`,
};

/** The platform said that a template, a number or an account is another one now: what is known of it is old. */
const CHECK_SOON = 'update connections set check_due_at = null where id = $1';

/** Fields of conversations, which say nothing of templates, numbers and accounts, whatever they hold. */
const CONVERSATION_FIELDS: readonly string[] = [
  'messages',
  'smb_message_echoes',
  'message_echoes',
  'history',
  'smb_app_state_sync',
  'calls',
];

const concernsConnection = (change: Change): boolean =>
  change.kind === 'template' || (change.kind === 'other' && !CONVERSATION_FIELDS.includes(change.field));

/**
 * Stores all that deliveries say, each change once, whichever of them contains it.
 * @param client of one transaction
 * @returns for each delivery how much of it was new; undefined where its connection does not exist any more
 */
export async function storeDeliveries(
  client: Queryable,
  deliveries: readonly Delivery[],
): Promise<(StoredCount | undefined)[]> {
  const connections = await findConnections(client, deliveries);
  const known = deliveries.filter(({ owner }) => connections.has(owner.connectionId));
  const fresh = await claimChanges(
    client,
    known.flatMap(({ owner: { connectionId }, changes, unread }) =>
      [...changes, ...(unread ? [unread] : [])].map(({ key }) => ({ connectionId, key })),
    ),
  );
  const isFirst = ({ connectionId }: ChangeOwner, key: string): boolean =>
    fresh.delete(claimKey(connectionId, key));
  const firstOf = new Map(
    known.map((delivery) => {
      const { owner, changes, unread } = delivery;
      const first = changes.filter(({ key }) => isFirst(owner, key)).map((change) => ({ owner, change }));
      return [delivery, { first, unread: unread && isFirst(owner, unread.key) ? unread : undefined }];
    }),
  );
  const receivedAt = new Date();
  const all = [...firstOf.values()].flatMap(({ first }) => first);
  const { recorded, customerOf } = await recordAll(
    client,
    all,
    ({ owner }) => connections.get(owner.connectionId)?.consent ?? CONSENT_DEFAULTS,
  );
  await noteConnections(client, all, receivedAt);
  const eventsOf = await forwardChanges(client, recorded, receivedAt);
  await recordReceived(client, messagesWithEvents(recorded, { eventsOf, customerOf }), receivedAt);
  await keepUnread(client, firstOf, receivedAt);
  const silent = [...connections].flatMap(([id, { isArrivalOld }]) => (isArrivalOld ? [id] : []));
  if (silent.length > 0) await client.query({ ...NOTE_ARRIVALS, values: [silent] });
  return deliveries.map((delivery) => {
    const stored = firstOf.get(delivery);
    if (!stored) return undefined;
    const events = stored.first.flatMap(({ change }) => eventsOf.get(change) ?? []);
    const unread = stored.unread ? 1 : 0;
    return {
      changes: stored.first.length + unread,
      forwarded: events.reduce((sum, { forwarded }) => sum + forwarded, 0),
      kept: events.filter(({ isKept }) => isKept).length + unread,
    };
  });
}

/** What customers wrote, with the events that it is stored as. */
const messagesWithEvents = (
  changes: readonly RecordedChange[],
  of: { eventsOf: ReadonlyMap<Change, Forwarded>; customerOf: CustomerOf },
): ReceivedMessage[] =>
  changes.flatMap(({ owner: { workspaceId }, change, fields }) =>
    change.kind === 'message' && !isSystem(change)
      ? [
          {
            workspaceId,
            change,
            names: of.customerOf(change)?.names ?? [],
            text: toText(fields()['text']),
            events: of.eventsOf.get(change)?.events ?? [],
          },
        ]
      : [],
  );

interface FoundConnection {
  /** The arrival of a notification has to be noted. */
  isArrivalOld: boolean;
  consent: ConsentSettings;
}

/** Those of the deliveries' connections that still exist. */
async function findConnections(
  client: Queryable,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, FoundConnection>> {
  const ids = [...new Set(deliveries.map(({ owner }) => owner.connectionId))];
  const { rows } = await client.query<{
    id: string;
    is_arrival_old: boolean;
    consent: ConsentSettings | null;
  }>({ ...CONNECTIONS, values: [ids] });
  return new Map(
    rows.map((row) => [
      row.id,
      { isArrivalOld: row.is_arrival_old, consent: row.consent ?? CONSENT_DEFAULTS },
    ]),
  );
}

/** Bodies that cannot be read are kept as events. */
async function keepUnread(
  client: Queryable,
  firstOf: ReadonlyMap<Delivery, { unread: Delivery['unread'] }>,
  receivedAt: Date,
): Promise<void> {
  const kept = [...firstOf].flatMap(([{ owner }, { unread }]) =>
    unread ? [{ owner, outcome: 'rejected' as const, reason: unread.reason, body: unread.body }] : [],
  );
  await keepNotifications(client, kept, receivedAt);
}

/** What changes say of the connections themselves. */
async function noteConnections(
  client: Queryable,
  changes: readonly Owned<Change>[],
  receivedAt: Date,
): Promise<void> {
  for (const ofConnection of Map.groupBy(changes, ({ owner }) => owner.connectionId).values()) {
    const owner = ofConnection[0]?.owner;
    if (!owner) continue;
    const own = ofConnection.map(({ change }) => change);
    if (own.some(concernsConnection)) {
      await client.query(CHECK_SOON, [owner.connectionId]);
      await noteAccount(client, owner, own, receivedAt);
    }
    await noteStatusTroubles(client, owner, own.flatMap(codesOf));
  }
}

/** Of the errors of a failed message. */
const codesOf = (change: Change): number[] =>
  change.kind === 'status' && change.status === 'failed' ? change.errors.map(({ code }) => code) : [];

const NOTE = `
insert into account_notices (workspace_id, connection_id, notice, received_at)
select $1, $2, notice, $3 from unnest($4::json[]) as n(notice)`;

/** Notes what changes say of templates and numbers, for alerts. Of messages and statuses it asks nothing. */
async function noteAccount(
  client: Queryable,
  { workspaceId, connectionId }: ChangeOwner,
  changes: readonly Change[],
  receivedAt: Date,
): Promise<void> {
  const notices = changes.flatMap((change) => {
    const field = fieldOf(change);
    return field ? [stringifyJson({ field, value: change.raw })] : [];
  });
  if (notices.length > 0) await client.query(NOTE, [workspaceId, connectionId, receivedAt, notices]);
}

function fieldOf(change: Change): NoticedField | undefined {
  if (change.kind === 'template') return 'message_template_status_update';
  if (change.kind !== 'other' || !change.isKnown) return undefined;
  return NOTICED_FIELDS.find((field) => field === change.field);
}

type CustomerOf = (change: Change) => Customer | null | undefined;

type IncomingChange = MessageChange | StatusChange;

/**
 * Stores what changes say of customers, windows and sent messages, and gives it to the runs that wait for it.
 * @returns the changes in their order, each with the runs that took it, and the customer of each
 */
async function recordAll(
  client: Queryable,
  changes: readonly Owned<Change>[],
  settingsOf: (change: Owned<Change>) => ConsentSettings,
): Promise<{ recorded: RecordedChange[]; customerOf: CustomerOf }> {
  const { customers, withMessage } = await recordChanges(client, changes.filter(isOfCustomer));
  const customerOf: CustomerOf = (change) => (isConversation(change) ? customers.get(change) : undefined);
  await recordConsentChanges(client, changes, { customerOf, settingsOf });
  const flat = changes.map(flatten);
  const waited = flat.filter(mayBeAwaited);
  const now = withNamesNow([...customers.values()]);
  const takers = await notifyWaitingRuns(
    client,
    waited.map((each) => toIncoming(each, now(customerOf(each.change) ?? null))),
  );
  const takenBy = new Map(waited.map(({ change }, index) => [change as Change, takers[index]]));
  const recorded = flat.map((each) => ({
    ...each,
    takenBy:
      (isAboutCustomer(each.change) ? customerOf(each.change)?.followedBy : takenBy.get(each.change)) ?? [],
    isWithMessage: isConversation(each.change) && withMessage.has(each.change),
  }));
  return { recorded, customerOf };
}

/** Of most statuses nothing reads the fields. */
function flatten({ owner, change }: Owned<Change>): FlatChange {
  let made: JsonObject | undefined;
  return { owner, change, fields: () => (made ??= flattenChange(change, owner.connectionId)) };
}

const mayBeAwaited = (each: FlatChange): each is FlatChange<IncomingChange> =>
  (each.change.kind === 'message' || each.change.kind === 'status') && !isAboutCustomer(each.change);

/** What runs that wait have followed already: no answer. */
const isAboutCustomer = (change: Change): boolean => change.kind === 'message' && isSystem(change);

/** A notification may report what a customer wrote under a name together with its change: runs wait for the new one by then. */
function withNamesNow(
  customers: readonly (Customer | null)[],
): (customer: Customer | null) => Customer | null {
  const changed = new Map(
    customers.flatMap((each) => each?.changed ?? []).map(({ from, to }) => [from, to] as const),
  );
  return (customer) =>
    customer && {
      ...customer,
      names: customer.names.flatMap((name) => {
        const next = changed.get(name);
        return next === undefined ? [name] : [name, next];
      }),
    };
}

const isConversation = (change: Change): change is ConversationChange =>
  change.kind === 'message' || change.kind === 'status' || change.kind === 'echo';

const isOfCustomer = (each: Owned<Change>): each is Owned<ConversationChange> => isConversation(each.change);

const toIncoming = (
  { owner, change, fields }: FlatChange<IncomingChange>,
  customer: Customer | null,
): Incoming =>
  change.kind === 'message'
    ? toIncomingMessage(owner, change, fields(), customer)
    : toIncomingStatus(owner, change, customer);
