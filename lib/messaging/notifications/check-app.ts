// The state of the app's own notifications, as text: for Settings → Health and `patchbay doctor --live`.
import type { Database } from '#lib/core/db/client.ts';
import { type AppSubscription, findAppSubscription } from '#lib/messaging/platform/subscriptions.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { APP_FIELDS, appReceiverUrl } from '#lib/messaging/connections/receivers.ts';
import { type AppContext, isOfInstallation } from '#lib/messaging/connections/subscribe-notifications.ts';
import { listUnrouted, type UnroutedNotification } from './unrouted-notifications.ts';

export interface AppFinding {
  result: 'ok' | 'warning' | 'failed';
  what: string;
  /** The fix; null when all is well. */
  fix: string | null;
}

/** The first field is required for every conversation. */
const [MESSAGES] = APP_FIELDS;
const SUBSCRIBE = 'Select Subscribe on the page of a connection, or run `patchbay subscribe-app`.';
const REPLACE = 'If that URL is not needed, run `patchbay subscribe-app`: it sends them here instead.';

/** Queries the app's subscriptions from the platform. It never throws. */
export async function checkAppSubscription(ctx: AppContext): Promise<AppFinding> {
  try {
    return judge(ctx, await findAppSubscription(ctx.platform));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const isSecret = error.kind === 'refused' || error.kind === 'app_secret';
    return {
      result: isSecret ? 'failed' : 'warning',
      what: `The platform does not say what the app is subscribed to: ${error.message.replace(/\.$/, '')}.`,
      fix: isSecret
        ? 'Set MESSAGING_CLIENT_ID and MESSAGING_CLIENT_SECRET to the ID and the secret of the platform app.'
        : error.meaning.hint,
    };
  }
}

function judge(ctx: AppContext, subscription: AppSubscription | null): AppFinding {
  if (subscription === null)
    return failed('The app is not subscribed to notifications: nothing arrives.', SUBSCRIBE);
  const { callbackUrl, fields } = subscription;
  const isHere = isOfInstallation(ctx, subscription);
  if (!fields.includes(MESSAGES))
    return failed(
      `The app is not subscribed to the field ${MESSAGES}: neither messages of customers nor delivery statuses arrive.`,
      isHere ? SUBSCRIBE : `Subscribe it in the dashboard of the platform app. ${REPLACE}`,
    );
  if (!isHere)
    return warning(
      `Notifications that concern the whole account go to ${callbackUrl}: results of template reviews and changes of accounts and numbers do not arrive here.`,
      REPLACE,
    );
  const missing = APP_FIELDS.filter((field) => !fields.includes(field));
  if (missing.length > 0) return warning(`The app is not subscribed to ${missing.join(', ')}.`, SUBSCRIBE);
  return callbackUrl === appReceiverUrl(ctx)
    ? { result: 'ok', what: `The app sends notifications to ${callbackUrl}.`, fix: null }
    : warning(
        'The app sends notifications of all accounts to one connection.',
        `${SUBSCRIBE} Then each connection gets its own.`,
      );
}

/** Notifications that reached the app's receiver but no connection; null: none recently. */
export async function checkUnrouted({ db }: { db: Database }): Promise<AppFinding | null> {
  const unrouted = await listUnrouted(db);
  const unsigned = unrouted.find(({ reason }) => reason === 'signature');
  if (unsigned)
    return warning(
      `Notifications were rejected because the signature does not match the app secret, most recently at ${unsigned.lastReceivedAt.toISOString()}.`,
      'Set MESSAGING_APP_SECRET to the secret of the platform app.',
    );
  if (unrouted.length === 0) return null;
  return warning(
    `Notifications arrive of business accounts that no connection has: ${unrouted.map(describe).join('; ')}.`,
    'Connect the account, or remove the app from it at the platform.',
  );
}

const describe = ({ businessAccountId: id, fields, lastReceivedAt }: UnroutedNotification): string =>
  `${id === '' ? 'of no account' : id} (${fields.join(', ') || 'not readable'}, most recently at ${lastReceivedAt.toISOString()})`;

const failed = (what: string, fix: string): AppFinding => ({ result: 'failed', what, fix });
const warning = (what: string, fix: string): AppFinding => ({ result: 'warning', what, fix });
