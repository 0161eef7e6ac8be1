'use server';
import * as z from 'zod';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { deleteConnection as remove } from '#lib/messaging/connections/delete-connection.ts';
import { placeOfOrigin } from '#lib/messaging/connections/login-place.ts';
import { loginOriginSchema } from '#lib/messaging/connections/login-secrets.ts';
import { recheckConnections as recheck } from '#lib/messaging/connections/recheck-connections.ts';
import { renameConnection as rename } from '#lib/messaging/connections/rename-connection.ts';
import { saveLogin as save } from '#lib/messaging/connections/save-login.ts';
import { renameConnectionSchema, subscriptionSchema } from '#lib/messaging/connections/schema.ts';
import {
  sampleMessageSchema,
  sendSampleMessage as sendSample,
} from '#lib/messaging/sending/send-sample-message.ts';
import { startLogin as start } from '#lib/messaging/connections/start-login.ts';
import {
  subscribeNotifications as subscribe,
  unsubscribeNotifications as unsubscribe,
} from '#lib/messaging/connections/subscribe-notifications.ts';
import {
  putSubscription as putHandOn,
  removeSubscription as removeHandOn,
} from '#lib/messaging/connections/workflow-subscriptions.ts';
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

const idSchema = z.strictObject({ id: z.string() });

/** Where the browser goes to log in at the platform; with an id the connection is connected again. */
export const startLogin = action(
  'editor',
  z.strictObject({ id: z.string().optional(), origin: loginOriginSchema.optional() }),
  (ctx, { id, origin }) => start(toMessagingContext(ctx), { userId: ctx.user.id, connectionId: id, origin }),
);

/** Asks the platform about connections that were not checked within the last minute, however many look at them. */
export const recheckConnections = action(
  'viewer',
  z.strictObject({ id: z.string().optional() }),
  (ctx, input) => recheck(toMessagingContext(ctx), input),
);

export const saveLogin = action(
  'editor',
  renameConnectionSchema.extend({
    loginId: z.string(),
    businessAccountId: z.string().min(1, 'Select a business account.'),
    subscribes: z.boolean(),
  }),
  async (ctx, { loginId, businessAccountId, name, subscribes }) => {
    const messaging = toMessagingContext(ctx);
    const login = { loginId, userId: ctx.user.id, name, businessAccountId };
    const { connection, origin } = await save(messaging, login);
    const { id } = connection;
    await recheck(messaging, { id });
    const problem = subscribes ? await problemOf(subscribe(messaging, { id })) : null;
    return { id, problem, backTo: origin ? placeOfOrigin(origin, id) : null };
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

/** Sends one message by hand. @returns its id at the platform. */
export const sendTestMessage = action('editor', sampleMessageSchema, async (ctx, input) => ({
  messageId: await sendSample(toMessagingContext(ctx), input),
}));

export const subscribeNotifications = action('editor', idSchema, (ctx, input) =>
  subscribe(toMessagingContext(ctx), input),
);

export const unsubscribeNotifications = action('editor', idSchema, (ctx, input) =>
  unsubscribe(toMessagingContext(ctx), input),
);

/** Hands notifications on to a workflow. */
export const putSubscription = action('editor', subscriptionSchema.extend(idSchema.shape), putHandOn);

export const removeSubscription = action(
  'editor',
  z.strictObject({ id: z.string(), workflowId: z.string() }),
  removeHandOn,
);

async function problemOf(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
