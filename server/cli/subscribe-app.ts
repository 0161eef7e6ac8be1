import { AppError } from '#lib/core/errors.ts';
import { appReceiverUrl } from '#lib/messaging/connections/receivers.ts';
import { subscribeApp } from '#lib/messaging/connections/subscribe-notifications.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { toAppError } from '#lib/messaging/platform/platform-error.ts';
import { readProductSettings } from './installation.ts';
import type { Output } from './output.ts';

/**
 * `patchbay subscribe-app`: the platform then sends the notifications of all accounts of the app to this installation. @throws
 * AppError
 */
export async function subscribeAppHere(output: Output): Promise<void> {
  const settings = readProductSettings();
  if (!process.env['BASE_URL'])
    throw new AppError(
      'invalid_request',
      'Set BASE_URL to the address at which the platform reaches Patchbay.',
    );
  const ctx = { platform: platformSettingsOf(settings), baseUrl: settings.BASE_URL };
  try {
    await subscribeApp(ctx);
  } catch (error) {
    throw toAppError(error, 'The app could not be subscribed');
  }
  const url = appReceiverUrl(ctx);
  output.give({ callback_url: url }, [`The platform sends the app's notifications to ${url}.`]);
}
