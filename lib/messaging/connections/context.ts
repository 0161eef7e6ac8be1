import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';

/** Context of verbs for connections and messages: a workspace's context, and access to the platform. */
export interface MessagingContext extends Context {
  platform: PlatformSettings;
}

/** The same for verbs that change something. */
export interface MessagingActorContext extends MessagingContext, ActorContext {}
