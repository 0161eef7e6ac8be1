import { guardedRequest, type GuardedRequestOptions } from '#lib/core/http/guarded-request.ts';
import { GuardedRequestError } from '#lib/core/http/guarded-request-error.ts';
import { listPrivateHosts } from '#lib/core/http/public-address.ts';
import { signWebhook, webhookSecretBinding } from '../destinations/webhook-secret.ts';
import type { AlertRuntime } from '../runtime.ts';
import type { Attempt, DueDelivery } from './delivery-types.ts';

/** Standard Webhooks recommends 15 to 30 seconds. */
const TIMEOUT_MS = 20_000;
/** Only the status of a response is used. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The receiver wants no further messages (Standard Webhooks). */
const GONE = 410;
const LASTING: readonly string[] = ['invalid_url', 'refused_address'];

/** Posts an alert once. The receiver recognizes repeated attempts by `webhook-id`. */
export async function postWebhook(
  { secrets, settings }: AlertRuntime,
  { id, workspaceId, destinationId, config, secretEncrypted, payload }: DueDelivery,
): Promise<Attempt> {
  if (config.channel !== 'webhook' || secretEncrypted === null)
    return {
      isDelivered: false,
      problem: 'The webhook has no secret: delete it and add it again.',
      isFinal: true,
    };
  const secret = secrets.open(secretEncrypted, webhookSecretBinding(workspaceId, destinationId));
  try {
    const status = await statusOf({
      method: 'POST',
      url: config.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Patchbay-Alerts',
        ...signWebhook(secret, { id, sentAt: new Date(), body: payload }),
      },
      body: payload,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      allowedPrivateHosts: listPrivateHosts(settings.ALLOWED_PRIVATE_HOSTS),
    });
    if (status >= 200 && status < 300) return { isDelivered: true };
    return {
      isDelivered: false,
      problem: `${new URL(config.url).host} answered ${status}.${status >= 300 && status < 400 ? ' Enter the URL that it redirects to.' : ''}`,
      isFinal: status === GONE,
    };
  } catch (error) {
    if (!(error instanceof GuardedRequestError)) throw error;
    return { isDelivered: false, problem: error.message, isFinal: LASTING.includes(error.kind) };
  }
}

/**
 * The status of a response, also of one that is too long, compressed or cut off.
 * @throws GuardedRequestError without a response
 */
async function statusOf(options: GuardedRequestOptions): Promise<number> {
  try {
    return (await guardedRequest(options)).status;
  } catch (error) {
    if (error instanceof GuardedRequestError && error.status !== undefined) return error.status;
    throw error;
  }
}
