import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import { GraphError } from '../graph-error.ts';

/** Older versions have expired. */
const OLDEST_LIVING = 21;
const NEWEST = 26;

/**
 * The version that answers a call. Strict: of an expired one the oldest that lives, and one that is not out yet is refused
 * (2500).
 */
export function answeringVersion(world: World, asked: string): string {
  if (!isStrict(world)) return asked;
  const number = Number(asked.slice(1));
  if (number > NEWEST)
    throw new GraphError(2500, '', { message: `(#2500) Unknown path components: /${asked}` });
  return number < OLDEST_LIVING ? `v${OLDEST_LIVING}.0` : asked;
}
