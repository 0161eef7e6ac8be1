import { createHmac } from 'node:crypto';
import type { Change, Subscription } from '../model.ts';
import { ACCOUNT_OBJECT } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';

const POST_TIMEOUT_MS = 10_000;
const MOST_ATTEMPTS_KEPT = 5000;

/** Delivers a change to every receiver of the account: signed, at least once, in any order. */
export function publish(world: World, accountId: string, field: string, value: object): void {
  for (const subscription of listReceivers(world, accountId, field)) {
    const change = { accountId, field, value };
    if (world.settings.notification_batch_ms > 0) collect(world, subscription, change);
    else deliver(world, subscription, [change]);
  }
}

function collect(world: World, subscription: Subscription, change: Change): void {
  const waiting = world.outbox.get(subscription.id);
  if (waiting) return void waiting.push(change);
  world.outbox.set(subscription.id, [change]);
  world.timers.after(world.settings.notification_batch_ms, () => {
    const changes = world.outbox.get(subscription.id) ?? [];
    world.outbox.delete(subscription.id);
    deliver(world, subscription, changes.reverse());
  });
}

function deliver(world: World, subscription: Subscription, changes: Change[]): void {
  const accountIds = [...new Set(changes.map(({ accountId }) => accountId))];
  const body = toAscii({
    object: ACCOUNT_OBJECT,
    entry: accountIds.map((id) => ({
      id,
      time: world.clock.nowSeconds(),
      changes: changes
        .filter(({ accountId }) => accountId === id)
        .map(({ field, value }) => ({ field, value })),
    })),
  });
  for (let copy = 0; copy < world.settings.notification_copies; copy += 1)
    void attempt(world, subscription, body, 1);
}

async function attempt(
  world: World,
  subscription: Subscription,
  body: string,
  number: number,
): Promise<void> {
  if (!world.subscriptions.has(subscription.id)) return;
  const { status, error } = await post(world, subscription, body);
  world.notifications.push({
    subscription_id: subscription.id,
    callback_url: subscription.callbackUrl,
    attempt: number,
    status,
    error,
    at: new Date(world.clock.nowMs()).toISOString(),
    body: JSON.parse(body) as unknown,
  });
  if (world.notifications.length > MOST_ATTEMPTS_KEPT) world.notifications.shift();
  if (status !== null && status >= 200 && status < 300) return;
  const pauseMs = world.settings.notification_retry_ms[number - 1];
  if (pauseMs !== undefined)
    world.timers.after(pauseMs, () => void attempt(world, subscription, body, number + 1));
}

async function post(
  world: World,
  { callbackUrl }: Subscription,
  body: string,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const response = await fetch(callbackUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signBody(world, body) },
      body,
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** `X-Hub-Signature-256` of a raw body; the app secret is the secret of the connections' client. */
function signBody(world: World, body: string): string {
  return `sha256=${createHmac('sha256', world.options.client.secret).update(body).digest('hex')}`;
}

/** JSON with escaped non-ASCII characters, like the platform's: receivers must verify the raw bytes. */
function toAscii(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Fields that go to an account's override instead of the app's URL; statuses are part of `messages`. */
const OVERRIDE_FIELDS = new Set(['messages', 'message_echoes', 'smb_message_echoes', 'calls', 'history']);

/**
 * The receivers of an account's change. Strict: to the account's override if overrides get the field, otherwise to the app's
 * URL, and to neither unless the app is subscribed to the account and to the field. Otherwise an override gets everything.
 * Subscriptions of the control API always get everything.
 */
function listReceivers(world: World, accountId: string, field: string): Subscription[] {
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
