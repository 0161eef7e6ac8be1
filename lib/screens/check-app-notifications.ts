import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import {
  type AppFinding,
  checkAppSubscription,
  checkUnrouted,
} from '#lib/messaging/notifications/check-app.ts';
import { knowsApp } from '#lib/messaging/platform/app-token.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { isSandbox } from './check-platform.ts';
import type { HealthCheck } from './health-types.ts';

/** Every open page polls every few seconds; the platform counts calls. */
const KNOWN_MS = 60_000;
/** A page waits for it. */
const TIMEOUT_MS = 5000;
const known = new WeakMap<Settings, { atMs: number; finding: Promise<AppFinding> }>();

/** The health page's check of notifications: the app's subscriptions, and notifications without a connection. */
export async function checkAppNotifications(
  db: Database,
  settings: Settings,
): Promise<Omit<HealthCheck, 'id'>> {
  const subscription = await askAtMostOnce(settings);
  const unrouted = await checkUnrouted({ db });
  const worst = subscription.result === 'ok' && unrouted !== null ? unrouted : subscription;
  return { ...worst, at: null };
}

function askAtMostOnce(settings: Settings): AppFinding | Promise<AppFinding> {
  const platform = platformSettingsOf(settings);
  if (platform.graphUrl === undefined) return fine('No messaging platform is configured.');
  if (isSandbox(settings)) return fine('The sandbox sends them to each connection.');
  if (!knowsApp(platform))
    return fine('Set MESSAGING_CLIENT_ID and MESSAGING_CLIENT_SECRET to see what the app is subscribed to.');
  const before = known.get(settings);
  if (before && Date.now() - before.atMs < KNOWN_MS) return before.finding;
  const timeoutMs = Math.min(platform.timeoutMs, TIMEOUT_MS);
  const ctx = { platform: { ...platform, timeoutMs }, baseUrl: settings.BASE_URL };
  const finding = checkAppSubscription(ctx);
  known.set(settings, { atMs: Date.now(), finding });
  return finding;
}

const fine = (what: string): AppFinding => ({ result: 'ok', what, fix: null });
