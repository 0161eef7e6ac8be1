import type { Subscription } from '../model.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';

/** Fields that an account's override takes from the app's URL; statuses are part of `messages`. */
const OVERRIDE_FIELDS = new Set(['messages', 'message_echoes', 'smb_message_echoes', 'calls', 'history']);

/**
 * Where a change of an account goes. Strict: to the account's override if the field is one that overrides get, otherwise to
 * the app's URL, and to neither unless the app is subscribed to the account and to the field. Otherwise an override gets
 * everything. What the control API subscribed gets everything always.
 */
export function listReceivers(world: World, accountId: string, field: string): Subscription[] {
  const reachable = [...world.subscriptions.values()].filter(
    (subscription) => subscription.accountId === null || subscription.accountId === accountId,
  );
  const of = (source: Subscription['source']): Subscription[] =>
    reachable.filter((subscription) => subscription.source === source);
  return [...of('control'), ...listOfApp(world, accountId, field, of)];
}

function listOfApp(
  world: World,
  accountId: string,
  field: string,
  of: (source: Subscription['source']) => Subscription[],
): Subscription[] {
  const overrides = of('override');
  if (!isStrict(world) && overrides.length > 0) return overrides;
  if (!world.settings.app_published || !world.subscribedAccounts.has(accountId)) return [];
  const app = of('app').filter(({ fields }) => fields?.includes(field));
  return OVERRIDE_FIELDS.has(field) && app.length > 0 && overrides.length > 0 ? overrides : app;
}
