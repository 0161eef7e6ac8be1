// One notification of each kind that the platform documents, with the expected outcome while a workflow subscribes to messages,
// statuses and template reviews.
import type { JsonObject } from '#lib/core/json/value.ts';
import { MESSAGES } from './message-samples.ts';

export interface NotificationSample {
  title: string;
  field: string;
  value: JsonObject;
  /** Fields of the events that the workflow gets, one element each; empty: none. */
  forwarded: JsonObject[];
  /** Why it is only stored, one element for each event without a workflow. */
  kept: RegExp[];
}

const NUMBER = '15550001111';
const USER_ID = 'US.13491208655302741918';
const METADATA = { display_phone_number: '12125550101', phone_number_id: '300000000000001' };
let count = 0;
const nextId = (): string => `wamid.sample.${(count += 1)}`;

const value = (content: JsonObject): JsonObject => ({
  messaging_product: 'whatsapp',
  metadata: METADATA,
  ...content,
});

const messageSamples = MESSAGES.map(([title, content, read]): NotificationSample => {
  const message = { from: NUMBER, from_user_id: USER_ID, id: nextId(), timestamp: '1700000000', ...content };
  const contacts = [{ profile: { name: 'Kim', username: 'kim' }, wa_id: NUMBER, user_id: USER_ID }];
  return {
    title: `message: ${title}`,
    field: 'messages',
    value: value({ contacts, messages: [message] }),
    forwarded: [
      {
        kind: 'message',
        from: NUMBER,
        from_user_id: USER_ID,
        from_username: 'kim',
        message_id: message.id,
        ...read,
        raw: message,
      },
    ],
    kept: [],
  };
});

const oneMessage = (
  title: string,
  message: JsonObject,
  outcome: Partial<NotificationSample>,
): NotificationSample => ({
  title: `message: ${title}`,
  field: 'messages',
  value: value({ messages: [message] }),
  forwarded: [],
  kept: [],
  ...outcome,
});

const text = { type: 'text', text: { body: 'Hi' }, timestamp: '1700000000' };

const senderSamples: NotificationSample[] = [
  oneMessage(
    'only a user id',
    { ...text, id: nextId(), from_user_id: USER_ID },
    { forwarded: [{ from: USER_ID, from_user_id: USER_ID }] },
  ),
  oneMessage(
    'in a group',
    { ...text, id: nextId(), from: NUMBER, group_id: 'g.1' },
    { forwarded: [{ from: NUMBER, group_id: 'g.1' }] },
  ),
  oneMessage('no sender', { ...text, id: nextId() }, { kept: [/no sender/] }),
  oneMessage('no id', { ...text, from: NUMBER }, { kept: [/no id/] }),
  oneMessage('no time', { id: nextId(), from: NUMBER, type: 'text' }, { kept: [/no time/] }),
  oneMessage(
    'an id that no index holds',
    { ...text, id: 'x'.repeat(4000), from: NUMBER },
    { kept: [/no id/] },
  ),
  oneMessage('an id with U+0000', { ...text, id: 'a\0b', from: NUMBER }, { kept: [/no id/] }),
];

/** A status of each kind, with the fields that the workflow gets. */
const STATUSES: readonly [title: string, content: JsonObject, read: JsonObject][] = [
  [
    'sent',
    {
      status: 'sent',
      recipient_id: NUMBER,
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    },
    { recipient: NUMBER, pricing: { type: 'regular', category: 'utility' } },
  ],
  [
    'delivered',
    { status: 'delivered', recipient_id: NUMBER, recipient_user_id: USER_ID },
    { recipient: NUMBER },
  ],
  ['read, without a number', { status: 'read', recipient_user_id: USER_ID }, { recipient: USER_ID }],
  ['played', { status: 'played', recipient_id: NUMBER }, { status: 'played' }],
  ['without a recipient', { status: 'read' }, { recipient: '' }],
  [
    'in a group',
    { status: 'read', recipient_id: 'g.1', recipient_participant_id: NUMBER },
    { recipient: 'g.1' },
  ],
  [
    'failed',
    {
      status: 'failed',
      errors: [
        {
          code: 131026,
          title: 'Undeliverable',
          message: 'a\0b',
          href: 'https://x.example',
          error_data: { details: 'y', big: 1e308 },
        },
      ],
    },
    { status: 'failed' },
  ],
];

const statusSamples = STATUSES.map(([title, content, read]): NotificationSample => {
  const id = nextId();
  return {
    title: `status: ${title}`,
    field: 'messages',
    value: value({ statuses: [{ id, timestamp: '1700000000', ...content }] }),
    forwarded: [{ kind: 'status', message_id: id, ...read }],
    kept: [],
  };
});

const kept = (
  title: string,
  field: string,
  content: JsonObject,
  ...reasons: RegExp[]
): NotificationSample => ({
  title,
  field,
  value: content,
  forwarded: [],
  kept: reasons,
});

const TEMPLATE = {
  message_template_id: 12345678,
  message_template_name: 'a',
  message_template_language: 'en_US',
};

const RECORDED: readonly [field: string, content: JsonObject, reason: RegExp][] = [
  [
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'May 1' } },
    /business account changed: disabled update, disable/,
  ],
  [
    'account_alerts',
    {
      entity_type: 'BUSINESS',
      entity_id: '1',
      alert_info: { alert_severity: 'CRITICAL', alert_type: 'x' },
    },
    /platform alerts: critical, x/,
  ],
  ['security', { display_phone_number: '1', event: 'PIN_CHANGED' }, /security setting changed: pin changed/],
  [
    'phone_number_quality_update',
    { display_phone_number: '1', event: 'FLAGGED', current_limit: 'TIER_1K' },
    /phone number changed: flagged, up to 1,000 customers a day/,
  ],
  [
    'business_capability_update',
    { max_daily_conversations_per_business: 'TIER_2K' },
    /may send changed: up to 2,000 customers a day/,
  ],
  [
    'message_template_quality_update',
    { ...TEMPLATE, previous_quality_score: 'GREEN', new_quality_score: 'RED' },
    /quality of a message template changed: a, low quality/,
  ],
  [
    'template_category_update',
    { ...TEMPLATE, previous_category: 'UTILITY', new_category: 'MARKETING' },
    /category of a message template changes: a, from utility to marketing/,
  ],
];

const UNKNOWN: readonly [field: string, content: JsonObject][] = [
  ['history', { messages: [{ id: '1' }] }],
  ['a field of a later version', {}],
];

const PREFERENCES: readonly [title: string, content: JsonObject, read: JsonObject][] = [
  ['stop, by number', { wa_id: NUMBER, value: 'stop' }, { from: NUMBER, preference: 'stop' }],
  ['resume, by user id', { user_id: USER_ID, value: 'resume' }, { from: USER_ID, preference: 'resume' }],
];

const preferenceSamples = PREFERENCES.map(([title, content, read]): NotificationSample => ({
  title: `marketing: ${title}`,
  field: 'user_preferences',
  value: value({
    user_preferences: [
      { category: 'marketing_messages', detail: 'User asked', timestamp: 1_700_000_000, ...content },
    ],
  }),
  forwarded: [{ kind: 'preference', category: 'marketing_messages', timestamp: 1_700_000_000, ...read }],
  kept: [],
}));

const echo = (title: string, field: string, content: JsonObject, reason: RegExp): NotificationSample =>
  kept(
    `echo: ${title}`,
    field,
    value({ message_echoes: [{ from: '12125550101', ...text, ...content }] }),
    reason,
  );

const echoSamples: NotificationSample[] = [
  echo(
    'staff in the phone app',
    'smb_message_echoes',
    { id: nextId(), to: NUMBER, to_user_id: USER_ID },
    /staff wrote to the customer in the phone app/,
  ),
  echo(
    'another app, to a user id alone',
    'message_echoes',
    { id: nextId(), to_user_id: USER_ID },
    /Another app of the business account wrote/,
  ),
  echo('no recipient', 'smb_message_echoes', { id: nextId() }, /no recipient/),
  echo('no id', 'smb_message_echoes', { to: NUMBER }, /no id/),
  echo('no time', 'smb_message_echoes', { id: nextId(), to: NUMBER, timestamp: '' }, /no time/),
  kept('echo: nothing', 'smb_message_echoes', value({}), /has no messages/),
];

const otherSamples: NotificationSample[] = [
  kept(
    'status: of a later version',
    'messages',
    value({ statuses: [{ id: nextId(), status: 'forwarded', timestamp: '1700000000' }] }),
    /status “forwarded” is unknown/,
  ),
  kept(
    'status: no id',
    'messages',
    value({ statuses: [{ status: 'read', timestamp: '1700000000' }] }),
    /no message id/,
  ),
  kept(
    'errors alone',
    'messages',
    value({ errors: [{ code: 130429, title: 'Rate limit hit', error_data: { details: 'Wait' } }] }),
    /reported an error: 130429, Rate limit hit, Wait/,
  ),
  kept('nothing', 'messages', value({}), /no messages, statuses or errors/),
  kept('a part of a later version', 'messages', value({ calls: [{ id: '1' }] }), /“calls”, which is unknown/),
  kept(
    'elements that are no objects',
    'messages',
    value({ messages: [5], statuses: ['x'], errors: [null] }),
    /message is not an object/,
    /status is not an object/,
    /no code/,
  ),
  {
    title: 'template review',
    field: 'message_template_status_update',
    value: {
      ...TEMPLATE,
      event: 'PAUSED',
      reason: null,
      other_info: { title: 'Quality', description: 'Low' },
    },
    forwarded: [{ kind: 'template', template_name: 'a', status: 'PAUSED' }],
    kept: [],
  },
  ...RECORDED.map(([field, content, reason]) => kept(field, field, content, reason)),
  ...UNKNOWN.map(([field, content]) =>
    kept(field, field, content, new RegExp(`The field “${field}” is unknown`)),
  ),
  kept(
    'preferences that say too little',
    'user_preferences',
    value({ user_preferences: [1, { value: 'stop', timestamp: 1 }, { wa_id: NUMBER }] }),
    /not an object/,
    /does not say whose/,
    /no time/,
  ),
  kept('no preferences', 'user_preferences', value({}), /no user preferences/),
];

export const NOTIFICATION_SAMPLES: readonly NotificationSample[] = [
  ...messageSamples,
  ...senderSamples,
  ...statusSamples,
  ...preferenceSamples,
  ...echoSamples,
  ...otherSamples,
];
