import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';

/** What the verbs of connections and messages are handed: a workspace's context, and how the platform is reached. */
export interface MessagingContext extends Context {
  platform: PlatformSettings;
}

/** The same for verbs that change something. */
export interface MessagingActorContext extends MessagingContext, ActorContext {}
