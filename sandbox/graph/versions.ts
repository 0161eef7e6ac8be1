import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import { GraphError } from '../graph-error.ts';

/** Versions that still live in November 2026, and when each expires; the newest has no end yet. */
const VERSIONS: readonly { number: number; endsAt: number }[] = [
  { number: 21, endsAt: Date.UTC(2027, 0, 21) },
  { number: 22, endsAt: Date.UTC(2027, 4, 20) },
  { number: 23, endsAt: Date.UTC(2027, 9, 8) },
  { number: 24, endsAt: Date.UTC(2028, 1, 18) },
  { number: 25, endsAt: Date.UTC(2028, 6, 29) },
  { number: 26, endsAt: Infinity },
];
const NEWEST = Math.max(...VERSIONS.map(({ number }) => number));
/** Answers calls that name no version, where versions do not expire. */
const DEFAULT_VERSION = 'v18.0';

/**
 * The version that answers a call, and the headers that name it. Strict: for an expired one the oldest supported one, with a
 * warning; a future one is refused (2500).
 * @param asked empty: the call names none, and the oldest supported one answers
 */
export function answeringVersion(
  world: World,
  asked: string,
): { version: string; headers: Record<string, string> } {
  const version = isStrict(world)
    ? `v${livingNumber(world, Number(asked.slice(1)))}.0`
    : asked || DEFAULT_VERSION;
  const headers: Record<string, string> = { 'facebook-api-version': version };
  if (asked !== '' && version !== asked)
    headers['x-ad-api-version-warning'] =
      `The call has been auto-upgraded to ${version} as ${asked} has been deprecated.`;
  return { version, headers };
}

function livingNumber({ clock }: World, asked: number): number {
  if (asked > NEWEST)
    throw new GraphError(2500, '', { message: `(#2500) Unknown path components: /v${asked}.0` });
  const now = clock.nowMs();
  const oldest = VERSIONS.find(({ endsAt }) => endsAt > now)?.number ?? NEWEST;
  return Math.max(Math.floor(asked), oldest);
}
