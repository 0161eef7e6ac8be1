// Converts errors of the platform into errors of the task: the spec's text first, then the reason and the fix (spec, "Errors").
import { AppError } from '#lib/core/errors.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { type RetryAdvice, TaskError } from '#lib/engine/task-executor.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { ConnectionError } from '#lib/messaging/connections/tokens/access-token.ts';
import type { PlatformErrorClass } from '#lib/messaging/platform/error-table.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import { findWindow, isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import { WEBP_IS_FOR_STICKERS } from '#lib/messaging/sending/media-formats.ts';
import { type Action, isIdempotent } from './actions.ts';

const CODES: Readonly<Record<PlatformErrorClass, string>> = {
  token: 'invalid_token',
  permission: 'insufficient_permissions',
  app_secret: 'app_secret_refused',
  unknown_object: 'not_found',
  rate: 'rate_exceeded',
  management_limit: 'rate_exceeded',
  spam: 'message_limited',
  restricted: 'account_restricted',
  payment: 'payment_problem',
  opted_out: 'customer_opted_out',
  experiment: 'platform_experiment',
  not_registered: 'number_not_registered',
  number_needed: 'number_needed',
  marketing_limit: 'marketing_limited',
  window: 'window_expired',
  template_unknown: 'template_not_found',
  template_stopped: 'template_stopped',
  parameters: 'invalid_parameters',
  media: 'media_failure',
  undeliverable: 'delivery_failed',
  trouble: 'platform_trouble',
  refused: 'platform_refused',
  not_sent: 'platform_unreachable',
  lost_answer: 'answer_lost',
  not_configured: 'platform_not_configured',
};

/** The properties of an action for its error messages. */
export interface ActionTraits {
  action: string;
  /** Whether a retry has no further effect. */
  isIdempotent: boolean;
  /** The label of an unknown object, by the action's call. */
  unknownObject: { words: string; hint: string };
  /** Whether parameters can mismatch. */
  hasParameters?: boolean;
  /** The connection whose page has the fix; undefined: unknown. */
  connectionId?: string | undefined;
}

export const PHONE_UNKNOWN = {
  words: 'Phone number ID not found',
  hint: 'Use the phone number ID of a number this connection can access, not the phone number.',
};
const ACCOUNT_UNKNOWN = {
  words: 'Business account not found',
  hint: 'Select one that this connection can access.',
};

/** The label of an unknown object, by the action's call. */
const UNKNOWN_OBJECTS: Readonly<Record<Action, { words: string; hint: string }>> = {
  send_template: PHONE_UNKNOWN,
  send_text: PHONE_UNKNOWN,
  send_media: PHONE_UNKNOWN,
  mark_as_read: PHONE_UNKNOWN,
  create_template: ACCOUNT_UNKNOWN,
  get_templates: ACCOUNT_UNKNOWN,
  get_message_status: { words: 'Message not found', hint: 'Use the message_id from a send task.' },
};

/** Parameters can only mismatch where there are some. */
const REFUSED = { words: 'The platform refuses the request', hint: 'Fix the field that it names.' };

/** @returns the error of one of the seven actions. */
export const toTaskError = (error: unknown, action: Action, connectionId?: string): unknown =>
  toFailure(error, {
    action,
    connectionId,
    isIdempotent: isIdempotent(action),
    unknownObject: UNKNOWN_OBJECTS[action],
    hasParameters: action === 'send_template',
  });

/** @returns the error of the task; errors that are not from the platform or the connection are unchanged. */
export function toFailure(error: unknown, traits: ActionTraits): unknown {
  if (error instanceof PlatformError) return fromPlatform(error, traits);
  if (error instanceof ConnectionError) {
    const retry: RetryAdvice = { kind: error.isFinal ? 'never' : 'backoff' };
    return new TaskError('invalid_token', `Invalid or expired access token: ${error.message}`, {
      retry,
      details: aboutOf(traits),
      cause: error,
    });
  }
  if (error instanceof AppError && error.code === 'not_found')
    return noConnection('this connection does not exist in this workspace.');
  return error;
}

const aboutOf = ({ action, connectionId }: ActionTraits): JsonObject => ({
  action,
  ...(connectionId === undefined ? {} : { connection_id: connectionId }),
});

/** The platform refused a message because the customer's window is closed. */
export const isOutsideWindow = (error: unknown): boolean =>
  error instanceof PlatformError && error.kind === 'window';

/** Spec, Errors: "No connection chosen". */
export const noConnection = (why: string): TaskError =>
  new TaskError('no_connection', `No app connection selected: ${why}`);

function fromPlatform(error: PlatformError, traits: ActionTraits): TaskError {
  const { words, hint } = wordsOf(error, traits);
  const isUnknown = error.kind === 'lost_answer' && !traits.isIdempotent;
  const said = (error.facts.details ?? error.facts.platformMessage ?? '').replace(/[.\s]+$/, '');
  const why = isUnknown
    ? 'It is not known whether it was carried out, so it is not repeated automatically.'
    : hint;
  const code = words === PHONE_UNKNOWN.words ? 'phone_number_not_found' : CODES[error.kind];
  return new TaskError(code, `${words}: ${said === '' ? why : `${said}. ${why}`}`, {
    retry: retryOf(error),
    outcomeUnknown: isUnknown,
    details: { ...aboutOf(traits), ...error.toDetails() },
    cause: error,
  });
}

function wordsOf(
  error: PlatformError,
  { unknownObject, hasParameters = false }: ActionTraits,
): { words: string; hint: string } {
  if (error.kind === 'unknown_object') return unknownObject;
  if (error.kind === 'parameters' && !hasParameters) return REFUSED;
  if (error.kind === 'media' && /image\/webp/i.test(error.message))
    return { ...error.meaning, hint: WEBP_IS_FOR_STICKERS };
  return error.meaning;
}

function retryOf(error: PlatformError): RetryAdvice {
  if (error.meaning.retry === 'never') return { kind: 'never' };
  const { retryAfterSeconds } = error.facts;
  return retryAfterSeconds === undefined
    ? { kind: 'backoff' }
    : { kind: 'after', seconds: retryAfterSeconds };
}

/** Spec, Errors: "Window expired". @param fix how to fix it */
export const windowExpired = (lastMessageAt: Date, fix: string): TaskError =>
  new TaskError(
    'window_expired',
    `Window expired: the customer last wrote at ${lastMessageAt.toISOString()}, more than ${WINDOW_HOURS} hours ago. ${fix}`,
    { details: { last_message_at: lastMessageAt.toISOString() } },
  );

/**
 * Where the customer's last message is known from notifications, it decides; otherwise the platform does.
 * @throws TaskError `window_expired`
 */
export async function assertWindow(
  ctx: MessagingContext,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: string },
  now: Date,
): Promise<void> {
  const window = await findWindow(ctx, { phoneNumberId, customer: recipient });
  if (window && isWindowClosed(window, now)) throw windowExpired(window.lastMessageAt, 'Use send_template.');
}
