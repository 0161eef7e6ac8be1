import { settingWords } from '#lib/tasks/setting-values.ts';

// The seven actions and which fields each of them has (spec, "Resources and their fields").
export const ACTIONS = [
  'send_template',
  'create_template',
  'get_templates',
  'send_text',
  'send_media',
  'get_message_status',
  'mark_as_read',
] as const;

export type Action = (typeof ACTIONS)[number];

export const ACTION_LABELS: Record<Action, string> = {
  send_template: 'Send a template',
  create_template: 'Create a template',
  get_templates: 'Get templates',
  send_text: 'Send a text',
  send_media: 'Send media',
  get_message_status: 'Get the status of a message',
  mark_as_read: 'Mark a message as read',
};

/** Fields without which an action cannot run, besides `app_connection_id`; `media_url` and `media_id` have their own rule. */
export const REQUIRED_FIELDS = {
  send_template: ['business_account_id', 'phone_number_id', 'recipient', 'template_name'],
  create_template: ['business_account_id', 'template_name', 'template_category', 'template_components'],
  get_templates: ['business_account_id'],
  send_text: ['phone_number_id', 'recipient', 'message_text'],
  send_media: ['phone_number_id', 'recipient', 'media_type'],
  get_message_status: ['message_id'],
  mark_as_read: ['phone_number_id', 'message_id'],
} as const satisfies Record<Action, readonly string[]>;

/** The actions that send a message to a customer. */
export const SENDS = ['send_template', 'send_text', 'send_media'] as const satisfies readonly Action[];

/** Whether a task with these settings, which may be a draft's, sends a message. */
export const isSend = ({ action = 'send_template' }: Readonly<Record<string, unknown>>): boolean =>
  SENDS.some((each) => each === action);

/** Whether repeating the action has no further effect: the others would send a message twice, or create an existing template. */
export const isIdempotent = (action: Action): boolean => action !== 'create_template' && !isSend({ action });

/** Whether it changes something at the platform. */
export const hasSideEffect = (action: Action): boolean => !isIdempotent(action) || action === 'mark_as_read';

/** The object of an action, for its card: `order_confirmation → {{phone}}`; empty while nothing is set. */
export function describeAction(settings: Readonly<Record<string, unknown>>): string {
  const what = subjectOf(settings);
  const recipient = isSend(settings) ? settingWords(settings['recipient']) : '';
  return recipient === '' ? what : `${what === '' ? '' : `${what} `}→ ${recipient}`;
}

function subjectOf({
  action = 'send_template',
  template_name,
  message_text,
  media_type,
  filename,
  media_url,
  message_id,
  status_filter,
}: Readonly<Record<string, unknown>>): string {
  switch (action) {
    case 'send_text':
      return settingWords(message_text) && `“${settingWords(message_text)}”`;
    case 'send_media':
      return settingWords(filename) || settingWords(media_url) || settingWords(media_type);
    case 'get_message_status':
    case 'mark_as_read':
      return settingWords(message_id);
    case 'get_templates':
      return settingWords(status_filter);
    default:
      return settingWords(template_name);
  }
}
