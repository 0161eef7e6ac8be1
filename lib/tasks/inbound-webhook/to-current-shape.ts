// Until version 0.3.0 this type was also the trigger for customers' messages, by a setting (docs/decisions/triggers.md).
type Settings = Readonly<Record<string, unknown>>;

const OF_MESSAGES = [
  'app_connection_id',
  'phone_number_id',
  'message_kinds',
  'words',
  'in_conversations',
  'beside_others',
];

/** A trigger of the older shape as the type of today; undefined: it is of today's shape. Settings without effect are left out. */
export function toCurrentShape(settings: Settings): { type: string; settings: Settings } | undefined {
  const { starts_on: startsOn, ...others } = settings;
  if (startsOn === 'messages') return { type: 'message_trigger', settings: others };
  // Anything else was never valid: checks refuse it.
  if (startsOn !== undefined && startsOn !== 'request') return undefined;
  const kept = Object.entries(others).filter(([name]) => !OF_MESSAGES.includes(name));
  if (kept.length === Object.keys(settings).length) return undefined;
  return { type: 'inbound_webhook', settings: Object.fromEntries(kept) };
}
