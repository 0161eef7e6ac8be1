// The context of the messaging code: the process's runtime, and access to the platform.
import { env } from '#lib/core/env.ts';
import { processRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { type MediaSettings, mediaSettingsOf } from './media/media-store.ts';
import { type PlatformSettings, platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import type { Context } from '#lib/identity/context.ts';

export interface MessagingRuntime extends Pick<
  ProcessRuntime,
  'db' | 'hot' | 'secrets' | 'baseUrl' | 'logger'
> {
  platform: PlatformSettings;
  media: MediaSettings;
}

/** @throws Error when ENCRYPTION_KEYS is missing or wrong */
export function toMessagingRuntime({
  settings,
  db,
  hot,
  secrets,
  baseUrl,
  logger,
}: ProcessRuntime): MessagingRuntime {
  return {
    db,
    hot,
    secrets,
    baseUrl,
    logger,
    platform: platformSettingsOf(settings),
    media: mediaSettingsOf(settings),
  };
}

/** Of this process. */
export const messagingRuntime = async (): Promise<MessagingRuntime> =>
  toMessagingRuntime(await processRuntime());

/** A workspace's context for the verbs of connections and messages; an existing platform is kept. */
export const toMessagingContext = <Given extends Context & Partial<Pick<MessagingContext, 'platform'>>>(
  ctx: Given,
): Given & Pick<MessagingContext, 'platform'> => ({
  ...ctx,
  platform: ctx.platform ?? platformSettingsOf(env()),
});
