// What notifications say of consent and holds, stored in the transaction that stores the notifications.
import { type Queryable, queryRows } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { toText } from '#lib/variables/to-text.ts';
import { type NewConfirmation, queueConfirmations } from '#lib/messaging/consent/confirmations.ts';
import { readConsentWord } from '#lib/messaging/consent/consent-words.ts';
import { type HoldChange, recordHolds } from '#lib/messaging/consent/holds.ts';
import { type ConsentChange, recordConsents } from '#lib/messaging/consent/record-consents.ts';
import type { ConsentSettings } from '#lib/messaging/consent/schema.ts';
import type { Customer } from '#lib/messaging/customers/customer-names.ts';
import { isOptOut } from '#lib/messaging/platform/error-table.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import type { ConsentState } from '#lib/messaging/schema/consent-types.ts';
import type {
  Change,
  EchoChange,
  MessageChange,
  Owned,
  PreferenceChange,
  StatusChange,
} from './notification-types.ts';
import { readObject } from './read-field.ts';
import { isSystem } from './record-change.ts';

/** The platform's category of preferences. */
const MARKETING = /^marketing/i;
const PREFERENCES: ReadonlyMap<string, ConsentState> = new Map([
  ['stop', 'stopped'],
  ['resume', 'given'],
]);
const HOUR_MS = 3_600_000;
/** Stored of what a customer wrote; words are shorter. */
const KEPT_CHARACTERS = 60;

interface Known {
  /** Of the sender or recipient; null: not identified. */
  customerOf: (change: Change) => Customer | null | undefined;
  /** Of the workspace of the change. */
  settingsOf: (change: Owned<Change>) => ConsentSettings;
}

/** Stores what changes say of consent, and holds by messages of staff. @param client of the transaction that stores them */
export async function recordConsentChanges(
  client: Queryable,
  changes: readonly Owned<Change>[],
  known: Known,
): Promise<void> {
  const consents = changes.flatMap((each) => readConsent(each, known) ?? []);
  if (consents.length > 0) {
    const changed = await queryRows<{ id: string }>({ $client: client }, recordConsents(consents));
    const ids = new Set(changed.map(({ id }) => id));
    await queueConfirmations(
      client,
      consents.flatMap(({ confirmation }) =>
        confirmation && ids.has(confirmation.id) ? [confirmation] : [],
      ),
    );
  }
  const holds = changes.flatMap((each) => readHold(each, known) ?? []);
  if (holds.length > 0) await queryRows({ $client: client }, recordHolds(holds, { onlyExtends: true }));
}

interface ReadChange extends ConsentChange {
  /** What is sent if this changes something. */
  confirmation?: NewConfirmation;
}

function readConsent({ owner, change }: Owned<Change>, known: Known): ReadChange | undefined {
  switch (change.kind) {
    case 'message':
      return ofMessage({ owner, change }, known);
    case 'status':
      return ofStatus({ owner, change }, known.customerOf(change)?.names);
    case 'preference':
      return ofPreference({ owner, change });
    default:
      return undefined;
  }
}

/** Texts, and quick replies of message templates: buttons that a workflow asks with are its own. */
function ofMessage(
  { owner, change }: Owned<MessageChange>,
  { customerOf, settingsOf }: Known,
): ReadChange | undefined {
  const { raw, messageId, at } = change;
  const text = toText(readObject(raw['text'])['body'] ?? readObject(raw['button'])['text']);
  if (text === '' || isSystem(change)) return undefined;
  const settings = settingsOf({ owner, change });
  const state = readConsentWord(text, settings);
  const names = state && customerOf(change)?.names;
  if (!names) return undefined;
  const { workspaceId, connectionId } = owner;
  const kept = text.replaceAll('\0', '').slice(0, KEPT_CHARACTERS);
  const evidence = { kind: 'message' as const, message_id: messageId, text: kept };
  const id = newId();
  const confirmation = {
    id,
    workspaceId,
    connectionId,
    phoneNumberId: change.phoneNumberId,
    customer: change.from,
    state,
    text: state === 'stopped' ? settings.stop_confirmation : settings.resume_confirmation,
    windowClosesAt: new Date(at.getTime() + WINDOW_HOURS * HOUR_MS),
  };
  return {
    id,
    workspaceId,
    names,
    purpose: settings.purpose,
    state,
    at,
    evidence,
    mayBeLate: true,
    ...(confirmation.text !== '' && confirmation.windowClosesAt > new Date() && { confirmation }),
  };
}

function ofStatus(
  { owner: { workspaceId }, change }: Owned<StatusChange>,
  names: readonly string[] | undefined,
): ConsentChange | undefined {
  const { status, errors, messageId, at } = change;
  const isRefused = status === 'failed' && errors.some(({ code }) => isOptOut(code));
  if (!isRefused || !names) return undefined;
  const evidence = { kind: 'platform_error' as const, message_id: messageId };
  return { workspaceId, names, purpose: 'marketing', state: 'stopped', at, evidence };
}

function ofPreference({
  owner: { workspaceId },
  change,
}: Owned<PreferenceChange>): ConsentChange | undefined {
  const { number, userId, category, preference, detail, at } = change;
  const state = PREFERENCES.get(preference.toLowerCase());
  if (!state || !MARKETING.test(category)) return undefined;
  const names = [number, userId].filter(Boolean);
  const note = detail.replaceAll('\0', '').slice(0, KEPT_CHARACTERS);
  const evidence = { kind: 'preference' as const, ...(note === '' ? {} : { note }) };
  return { workspaceId, names, purpose: 'marketing', state, at, evidence, mayBeLate: true };
}

/** Of the phone app alone: other apps of the account may be automatic. */
function readHold(
  { owner, change }: Owned<Change>,
  { customerOf, settingsOf }: Known,
): HoldChange | undefined {
  if (!isOfStaff(change)) return undefined;
  const { holds_on_echoes: holdsOnEchoes, echo_hold_hours: hours } = settingsOf({ owner, change });
  const names = holdsOnEchoes ? customerOf(change)?.names : undefined;
  if (!names) return undefined;
  const { messageId, at: since } = change;
  return {
    workspaceId: owner.workspaceId,
    names,
    since,
    until: new Date(since.getTime() + hours * HOUR_MS),
    reason: 'Staff wrote in the phone app.',
    evidence: { kind: 'echo', message_id: messageId },
  };
}

const isOfStaff = (change: Change): change is EchoChange =>
  change.kind === 'echo' && change.field === 'smb_message_echoes';
