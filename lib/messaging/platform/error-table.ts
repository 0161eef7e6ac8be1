// The meanings of the platform's error codes as data: by code first, by HTTP status second.

export type PlatformErrorClass =
  | 'token'
  | 'permission'
  /** The proof of the app secret is invalid: the token itself is valid. */
  | 'app_secret'
  | 'unknown_object'
  | 'rate'
  /** Too many calls that manage the account: messages have separate limits. */
  | 'management_limit'
  | 'spam'
  /** The account may not send, or not to this country: the connection itself works. */
  | 'restricted'
  | 'payment'
  | 'opted_out'
  | 'experiment'
  | 'not_registered'
  | 'number_needed'
  | 'marketing_limit'
  | 'window'
  | 'template_unknown'
  | 'template_stopped'
  | 'parameters'
  | 'media'
  | 'undeliverable'
  | 'trouble'
  | 'refused'
  /** No response, and the request certainly did not arrive. */
  | 'not_sent'
  /** No usable response: the request may have been processed. */
  | 'lost_answer'
  /** No platform is configured. */
  | 'not_configured';

export interface ErrorKind {
  /** The spec's text where it has one ("Errors"). */
  words: string;
  /** `after`: according to Retry-After, else with backoff. `never`: a retry cannot help. */
  retry: 'never' | 'backoff';
  /** Why it happens and how to fix it. */
  hint: string;
}

export const ERROR_KINDS: Record<PlatformErrorClass, ErrorKind> = {
  token: {
    words: 'Invalid or expired access token',
    retry: 'never',
    hint: 'Reconnect the connection, and grant both scopes.',
  },
  permission: {
    words: 'Insufficient permissions',
    retry: 'never',
    hint: 'A scope or the Admin or Editor role on the business account is missing: reconnect with an account that has it.',
  },
  app_secret: {
    words: 'App secret refused',
    retry: 'never',
    hint: 'Set MESSAGING_CLIENT_SECRET, or MESSAGING_APP_SECRET if it is set, to the secret of the platform app.',
  },
  unknown_object: {
    words: 'Not found',
    retry: 'never',
    hint: 'It does not exist, or this connection may not see it.',
  },
  rate: {
    words: 'Rate exceeded',
    retry: 'backoff',
    hint: 'Send more slowly, or ask the platform for a higher tier.',
  },
  management_limit: {
    words: 'Rate exceeded',
    retry: 'backoff',
    hint: 'The platform counts calls that read or change numbers, templates and subscriptions by the hour, and takes no more of them now. Messages are still sent. Try again later.',
  },
  spam: {
    words: 'The platform limits this message',
    retry: 'never',
    hint: 'The customer received too many messages lately, or the quality of the number is low. Try again another day.',
  },
  restricted: {
    words: 'Account restricted',
    retry: 'never',
    hint: 'The platform has restricted the business account. The account’s page at the platform says why and how to appeal.',
  },
  payment: {
    words: 'Payment problem',
    retry: 'never',
    hint: 'Add or fix the payment method of the business account at the platform.',
  },
  opted_out: {
    words: 'The customer opted out of marketing',
    retry: 'never',
    hint: 'Send them no marketing templates. Other messages still reach them.',
  },
  experiment: {
    words: 'Withheld by an experiment of the platform',
    retry: 'never',
    hint: 'The platform delivers no marketing templates to some customers for a while. The message is fine, and a retry does not help.',
  },
  not_registered: {
    words: 'Phone number not registered',
    retry: 'never',
    hint: 'Register it on the page of the connection, under Numbers. Until then it cannot send.',
  },
  number_needed: {
    words: 'Customer’s phone number needed',
    retry: 'never',
    hint: 'The platform does not send this message to a user ID: use the customer’s phone number.',
  },
  marketing_limit: {
    words: 'Marketing limit of this customer',
    retry: 'never',
    hint: 'The customer received too many marketing messages lately. Wait a day or more, or send a utility template.',
  },
  window: {
    words: 'Window expired',
    retry: 'never',
    hint: 'The customer has not written in the last 24 hours: use send_template, or name a fallback template.',
  },
  template_unknown: {
    words: 'Template not found',
    retry: 'never',
    hint: 'No approved template has this name and language. Names are case-sensitive.',
  },
  template_stopped: {
    words: 'The template is paused or disabled',
    retry: 'never',
    hint: 'Use another template, or edit this one on the platform. Messages that failed are not sent later: send them again.',
  },
  parameters: {
    words: 'Parameter mismatch',
    retry: 'never',
    hint: 'The number, order or type of the parameters does not match the template. All must be strings.',
  },
  media: {
    words: 'Media failure',
    retry: 'never',
    hint: 'The address cannot be reached, the format is wrong for the type, or the file is too large.',
  },
  undeliverable: {
    words: 'Delivery failed',
    retry: 'never',
    hint: 'The recipient is not on the platform, has blocked the number, or cannot receive the message.',
  },
  trouble: { words: 'The platform reports a temporary problem', retry: 'backoff', hint: 'Try again later.' },
  refused: {
    words: 'The platform refuses the request',
    retry: 'never',
    hint: 'See the platform’s message.',
  },
  not_sent: { words: 'The platform could not be reached', retry: 'backoff', hint: 'Nothing was sent.' },
  lost_answer: {
    words: 'The platform’s response was lost',
    retry: 'backoff',
    hint: 'It may or may not have been carried out.',
  },
  not_configured: {
    words: 'No messaging platform is configured',
    retry: 'never',
    hint: 'Set MESSAGING_GRAPH_URL, or start with the sandbox.',
  },
};

const CLASS_BY_CODE: ReadonlyMap<number, PlatformErrorClass> = new Map([
  ...of('token', 0, 190),
  ...of('permission', 10),
  ...of('unknown_object', 33),
  ...of('management_limit', 80007),
  ...of('rate', 4, 80008, 130429, 131056),
  ...of('spam', 131048),
  ...of('restricted', 368, 130497, 131031),
  ...of('payment', 131042),
  ...of('opted_out', 131050),
  ...of('experiment', 130472),
  ...of('not_registered', 133010),
  ...of('number_needed', 131062),
  ...of('marketing_limit', 131049),
  ...of('window', 131047),
  ...of('template_unknown', 132001),
  ...of('template_stopped', 132015, 132016),
  ...of('parameters', 100, 131008, 131009, 132000, 132012),
  ...of('media', 131051, 131052, 131053),
  ...of('undeliverable', 131026),
  ...of('trouble', 1, 2, 131000, 131016),
]);

function of(kind: PlatformErrorClass, ...codes: number[]): [number, PlatformErrorClass][] {
  return codes.map((code) => [code, kind]);
}

/** Whether an error code says that the customer stopped marketing messages. */
export const isOptOut = (code: number | undefined): boolean =>
  code !== undefined && CLASS_BY_CODE.get(code) === 'opted_out';

/** An error's code as a label of metrics, limited to the codes of the table: all others are `other`. */
export function labelOfCode(code: number | undefined): string {
  if (code === undefined) return 'none';
  return CLASS_BY_CODE.has(code) ? String(code) : 'other';
}

/** The meanings of the subcodes of 190. */
const TOKEN_REASONS: ReadonlyMap<number, string> = new Map([
  [458, 'The person who connected it removed the app.'],
  [459, 'The person who connected it must sign in at the platform and confirm their identity.'],
  [460, 'The person who connected it changed their password, or the platform signed them out.'],
  [463, 'The access token has expired.'],
  [464, 'The person who connected it must confirm their account at the platform.'],
  [467, 'The access token was revoked, or the person who connected it signed out.'],
  [492, 'The person who connected it no longer has a role on the account.'],
]);

/** Why the platform refused a token, as a sentence; undefined: unknown. @param subcode of 190 */
export const explainToken = (subcode: number | undefined): string | undefined =>
  subcode === undefined ? undefined : TOKEN_REASONS.get(subcode);

/** Errors that affect all messages of an account until someone fixes them at the platform: they are reported by alerts. */
export const ACCOUNT_TROUBLES = ['restricted', 'payment'] as const satisfies readonly PlatformErrorClass[];
export type AccountTroubleKind = (typeof ACCOUNT_TROUBLES)[number];

/** Subcode with which code 100 means an unknown object. */
const UNKNOWN_OBJECT = 33;

/** The meaning of an error response. @param code, subcode undefined when the response has none. */
export function classifyError(status: number, code?: number, subcode?: number): PlatformErrorClass {
  if (code === 100 && subcode === UNKNOWN_OBJECT) return 'unknown_object';
  if (code !== undefined && code >= 200 && code <= 299) return 'permission';
  const known = code === undefined ? undefined : CLASS_BY_CODE.get(code);
  return known ?? classifyStatus(status);
}

function classifyStatus(status: number): PlatformErrorClass {
  if (status === 401) return 'token';
  if (status === 403) return 'permission';
  if (status === 404) return 'unknown_object';
  if (status === 429) return 'rate';
  if (status === 502 || status === 504) return 'lost_answer';
  return status >= 500 ? 'trouble' : 'refused';
}

/** A rate of sending: of a number, or of a number to one customer. */
export type ExceededRate = 'phone' | 'pair';

/** The rate that an error code reports as exceeded. */
export const findExceededRate = (code: number | undefined): ExceededRate | undefined =>
  code === 130429 ? 'phone' : code === 131056 ? 'pair' : undefined;
