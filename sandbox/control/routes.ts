import { z } from 'zod';
import { HandshakeFailed, subscribe } from '../delivery/subscribe.ts';
import { BadRequest } from '../http/exchange.ts';
import { newObjectId } from '../ids.ts';
import { changeSettings } from '../change-settings.ts';
import { settingsSchema } from '../settings.ts';
import { resetWorld, type World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';
import { accountRoutes } from './account-routes.ts';
import { faultSchema } from '../calls/faults.ts';
import { customerRoutes } from './customer-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { tokenRoutes } from './token-routes.ts';

const clockSchema = z.strictObject({
  move_seconds: z.number().optional(),
  now: z.iso.datetime({ offset: true }).optional(),
});

const subscriptionSchema = z.strictObject({
  callback_url: z.string(),
  verify_token: z.string(),
  account_id: z.string().nullable().default(null),
});

const showClock = ({ clock }: World) => ({
  now: new Date(clock.nowMs()).toISOString(),
  offset_seconds: clock.offsetMs / 1000,
});

/** The control API under `/__sandbox`, by method and path; `:id` is passed as `id`. */
export const CONTROL_ROUTES: ControlRoutes = {
  ...tokenRoutes,
  ...messageRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...templateRoutes,
  'GET clock': ({ world }) => showClock(world),
  'POST clock': ({ world, body }) => {
    const { move_seconds: seconds, now } = readControl(clockSchema, body);
    if (now !== undefined) world.clock.offsetMs = Date.parse(now) - Date.now();
    world.clock.move((seconds ?? 0) * 1000);
    world.changes.emit('change', null);
    return showClock(world);
  },
  'GET settings': ({ world }) => world.settings,
  'POST settings': ({ world, body }) => {
    changeSettings(world, readControl(settingsSchema.partial(), body));
    return world.settings;
  },
  'POST reset': ({ world }) => {
    resetWorld(world);
    return { success: true };
  },
  'GET faults': ({ world }) => ({ data: world.faults }),
  'POST faults': ({ world, body }) => {
    const fault = readControl(faultSchema, body);
    const added = { ...fault, id: newObjectId(), left: fault.times };
    world.faults.push(added);
    return added;
  },
  'DELETE faults': ({ world }) => {
    world.faults.length = 0;
    return { success: true };
  },
  'GET calls': ({ world, query }) => {
    const { total, entries } = world.calls;
    const matching = entries.filter(
      (call) =>
        (query.get('path') === null || call.path.includes(query.get('path') ?? '')) &&
        (query.get('method') === null || call.method === query.get('method')) &&
        (query.get('target') === null || call.target === query.get('target')),
    );
    return { total, count: matching.length, data: matching };
  },
  'GET subscriptions': ({ world }) => ({ data: [...world.subscriptions.values()] }),
  'POST subscriptions': async ({ world, body }) => {
    const {
      callback_url: callbackUrl,
      verify_token: verifyToken,
      account_id: accountId,
    } = readControl(subscriptionSchema, body);
    try {
      return await subscribe(world, { callbackUrl, verifyToken, accountId, source: 'control', fields: null });
    } catch (error) {
      if (error instanceof HandshakeFailed) throw new BadRequest(`callback_url: ${error.message}`);
      throw error;
    }
  },
  'DELETE subscriptions/:id': ({ world, id }) => ({ success: world.subscriptions.delete(id) }),
  'GET notifications': ({ world }) => ({ count: world.notifications.length, data: world.notifications }),
};
