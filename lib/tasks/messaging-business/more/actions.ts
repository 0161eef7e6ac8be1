// The actions besides the seven of the specification, and which fields each of them has.
export const ACTIONS = [
  'send_buttons',
  'send_list',
  'send_cta_url',
  'send_reply',
  'request_location',
  'send_location',
  'send_contacts',
  'send_sticker',
  'send_reaction',
  'show_typing',
  'get_media',
] as const;

export type Action = (typeof ACTIONS)[number];

/** Those that send a message, which has an id. */
export type SendAction = Exclude<Action, 'show_typing' | 'get_media'>;

export const ACTION_LABELS: Record<Action, string> = {
  send_buttons: 'Send buttons',
  send_list: 'Send a list',
  send_cta_url: 'Send a URL button',
  send_reply: 'Reply to a message',
  request_location: 'Request a location',
  send_location: 'Send a location',
  send_contacts: 'Send contacts',
  send_sticker: 'Send a sticker',
  send_reaction: 'Send a reaction',
  show_typing: 'Show typing',
  get_media: 'Get media',
};

export const isSend = (action: Action): action is SendAction =>
  action !== 'show_typing' && action !== 'get_media';

export const SENDS: SendAction[] = ACTIONS.filter(isSend);
/** Those whose message can quote another one. */
export const QUOTING = SENDS.filter((action) => action !== 'send_reaction');

/** Whether a task with these settings (possibly a draft's) sends a message. */
export const sendsMessage = ({ action = ACTIONS[0] }: Readonly<Record<string, unknown>>): boolean =>
  SENDS.some((each) => each === action);

/** Whether the platform reports the delivery of the message of a task with these settings (possibly a draft's). */
export const isTracked = ({ action = ACTIONS[0] }: Readonly<Record<string, unknown>>): boolean =>
  QUOTING.some((each) => each === action);
