'use server';
import * as z from 'zod';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import {
  connectToken as connectPasted,
  describeToken as describePasted,
  reconnectToken as reconnectPasted,
} from '#lib/messaging/connections/connect-token.ts';
import {
  deleteConnection as remove,
  renameConnection as rename,
} from '#lib/messaging/connections/connections.ts';
import { loginOriginSchema, placeOfOrigin } from '#lib/messaging/connections/login/login.ts';
import { recheckConnections as recheck } from '#lib/messaging/connections/recheck-connections.ts';
import { registerPhoneNumber as register } from '#lib/messaging/connections/register-phone-number.ts';
import { saveLogin as save } from '#lib/messaging/connections/login/save-login.ts';
import {
  objectIdSchema,
  pinSchema,
  renameConnectionSchema,
  subscriptionSchema,
  tokenSchema,
} from '#lib/messaging/connections/schema.ts';
import { sampleMessageSchema, sendSampleMessage as sendSample } from '#lib/messaging/send-sample-message.ts';
import { startLogin as start } from '#lib/messaging/connections/login/start-login.ts';
import {
  subscribeNotifications as subscribe,
  unsubscribeNotifications as unsubscribe,
} from '#lib/messaging/connections/subscribe-notifications.ts';
import {
  putSubscription as forward,
  removeSubscription as stopForwarding,
} from '#lib/messaging/connections/workflow-subscriptions.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

/** The URL of the platform's login; with an id it reconnects that connection. */
export const startLogin = action(
  'editor',
  z.strictObject({ id: z.string().optional(), origin: loginOriginSchema.optional() }),
  (ctx, { id, origin }) => start(toMessagingContext(ctx), { userId: ctx.user.id, connectionId: id, origin }),
);

/** Checks connections with the platform that were not checked within the last minute, however many users view them. */
export const recheckConnections = action(
  'viewer',
  z.strictObject({ id: z.string().optional() }),
  (ctx, input) => recheck(toMessagingContext(ctx), input),
);

export const saveLogin = action(
  'editor',
  renameConnectionSchema.extend({
    loginId: z.string(),
    businessAccountId: z.string().min(1, 'Select a business account, or enter its ID.').pipe(objectIdSchema),
    subscribes: z.boolean(),
  }),
  async (ctx, { loginId, businessAccountId, name, subscribes }) => {
    const messaging = toMessagingContext(ctx);
    const login = { loginId, userId: ctx.user.id, name, businessAccountId };
    const { connection, origin } = await save(messaging, login);
    const { id } = connection;
    const problem = await startUsing(messaging, id, subscribes);
    return { id, problem, backTo: origin ? placeOfOrigin(origin, id) : null };
  },
);

/** Describes a pasted token with the platform's data; nothing is stored. */
export const describeToken = action('editor', z.strictObject({ accessToken: tokenSchema }), (ctx, input) =>
  describePasted(toMessagingContext(ctx), input),
);

export const connectToken = action(
  'editor',
  renameConnectionSchema.extend({
    accessToken: tokenSchema,
    businessAccountId: objectIdSchema,
    subscribes: z.boolean(),
  }),
  async (ctx, { subscribes, ...input }) => {
    const messaging = toMessagingContext(ctx);
    const { id } = await connectPasted(messaging, input);
    return { id, problem: await startUsing(messaging, id, subscribes) };
  },
);

export const reconnectToken = action(
  'editor',
  idSchema.extend({ accessToken: tokenSchema }),
  async (ctx, input) => {
    await reconnectPasted(toMessagingContext(ctx), input);
  },
);

export const renameConnection = action(
  'editor',
  renameConnectionSchema.extend(idSchema.shape),
  async (ctx, input) => {
    await rename(ctx, input);
  },
);

export const deleteConnection = action('editor', idSchema, async (ctx, input) => {
  await remove(ctx, input);
});

/** Sends one test message. @returns its id at the platform */
export const sendTestMessage = action('editor', sampleMessageSchema, async (ctx, input) => ({
  messageId: await sendSample(toMessagingContext(ctx), input),
}));

/** So that the number can send. */
export const registerPhoneNumber = action(
  'editor',
  idSchema.extend({ phoneNumberId: objectIdSchema, pin: pinSchema }),
  (ctx, input) => register(toMessagingContext(ctx), input),
);

export const subscribeNotifications = action('editor', idSchema, (ctx, input) =>
  subscribe(toMessagingContext(ctx), input),
);

export const unsubscribeNotifications = action('editor', idSchema, (ctx, input) =>
  unsubscribe(toMessagingContext(ctx), input),
);

/** Forwards notifications to a workflow. */
export const putSubscription = action('editor', subscriptionSchema.extend(idSchema.shape), forward);

export const removeSubscription = action(
  'editor',
  z.strictObject({ id: z.string(), workflowId: z.string() }),
  stopForwarding,
);

/** @returns why its notifications could not be subscribed */
async function startUsing(
  messaging: MessagingActorContext,
  id: string,
  subscribes: boolean,
): Promise<string | null> {
  await recheck(messaging, { id });
  return subscribes ? problemOf(subscribe(messaging, { id })) : null;
}

async function problemOf(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
