// The availability of versions of the graph API.

/**
 * “Available Graph API Versions” of https://developers.facebook.com/docs/graph-api/changelog, as of September 22, 2026. A
 * version ends two years after the next one was released; null: the next one was not released yet. Oldest first.
 */
const AVAILABLE_UNTIL: readonly (readonly [version: string, until: string | null])[] = [
  ['v17.0', '2025-09-12'],
  ['v18.0', '2026-01-26'],
  ['v19.0', '2026-05-21'],
  ['v20.0', '2026-09-24'],
  ['v21.0', '2027-01-21'],
  ['v22.0', '2027-05-20'],
  ['v23.0', '2027-10-08'],
  ['v24.0', '2028-02-18'],
  ['v25.0', '2028-07-29'],
  ['v26.0', null],
];

/** The newest version that this release knows. */
export const NEWEST_VERSION = AVAILABLE_UNTIL.at(-1)?.[0] ?? '';

const WARNING_DAYS = 90;
const DAY_MS = 86_400_000;

/** `until` is null where it is not known, or not decided yet; `unknown`: newer than this release of Patchbay. */
type VersionState =
  | { state: 'available' | 'ended'; until: Date | null }
  | { state: 'ends_soon'; until: Date }
  | { state: 'unknown'; until: null };

/** Whether a version of the graph API is available. @param version such as `v18.0` */
export function judgeGraphVersion(version: string, now = new Date()): VersionState {
  const known = AVAILABLE_UNTIL.find(([each]) => each === version);
  if (!known) return isOlder(version) ? { state: 'ended', until: null } : { state: 'unknown', until: null };
  if (known[1] === null) return { state: 'available', until: null };
  const until = new Date(`${known[1]}T00:00:00Z`);
  const leftDays = (until.getTime() - now.getTime()) / DAY_MS;
  if (leftDays <= 0) return { state: 'ended', until };
  return leftDays <= WARNING_DAYS ? { state: 'ends_soon', until } : { state: 'available', until };
}

const isOlder = (version: string): boolean => numberOf(version) < numberOf(AVAILABLE_UNTIL[0]?.[0] ?? '');
const numberOf = (version: string): number => Number(version.slice(1)) || 0;
