'use client';
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import { isZone } from '#lib/core/time/zones.ts';
import {
  formatDeadline,
  formatExactInstant,
  formatInstant,
  formatRelative,
  getBrowserZone,
} from './format.ts';

const Zone = createContext('UTC');

/** Provides the time zone in which every time on a screen is written and entered: the workspace's. */
export const ZoneProvider = ({ zone, children }: { zone: string; children: ReactNode }) => (
  // A browser may be older than the zone.
  <Zone value={isZone(zone) ? zone : 'UTC'}>{children}</Zone>
);

/** The time zone of the times on this screen, such as `Europe/Berlin`; the same on the server and in the browser. */
export const useZone = (): string => use(Zone);

const never = () => () => undefined;

let browserZone: string | undefined;
const readBrowserZone = (): string => (browserZone ??= getBrowserZone());

/**
 * Whether the reader's clock shows another time at an instant, so that the zone has to be named; not known on the server and during
 * hydration. @param at ISO 8601
 */
function useIsForeign(at: string): boolean {
  const zone = useZone();
  const own = useSyncExternalStore(never, readBrowserZone, () => zone);
  return own !== zone && formatInstant(at, own) !== formatInstant(at, zone);
}

const TICK_MS = 15_000;

const subscribe = (notify: () => void) => {
  const timer = setInterval(notify, TICK_MS);
  return () => clearInterval(timer);
};

const currentTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** Milliseconds since 1970, every 15 seconds; null on the server and during hydration. */
export const useNow = (): number | null => useSyncExternalStore(subscribe, currentTick, () => null);

/** "3 minutes ago", kept up to date; the exact instant is its title. @param at ISO 8601 */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  const zone = useZone();
  return (
    <Time at={at}>
      {now === null
        ? formatInstant(at, zone)
        : formatRelative(new Date(at).getTime(), Math.max(now, Date.now()))}
    </Time>
  );
}

/** "Nov 22, 2026, 6:05 PM", with its zone where the reader's clock shows another time. @param at ISO 8601 */
export function Instant({ at }: { at: string }) {
  const zone = useZone();
  const named = useIsForeign(at);
  return <Time at={at}>{formatInstant(at, zone, { named })}</Time>;
}

/** "tomorrow, 2:52 PM", a deadline, with its zone where the reader's clock shows another time. @param at ISO 8601 */
export function Deadline({ at }: { at: string }) {
  const now = useNow();
  const zone = useZone();
  const named = useIsForeign(at);
  return (
    <Time at={at}>
      {now === null
        ? formatInstant(at, zone)
        : formatDeadline(at, Math.max(now, Date.now()), zone, { named })}
    </Time>
  );
}

function Time({ at, children }: { at: string; children: string }) {
  const zone = useZone();
  return (
    // Server and browser may have other versions of the words and zones.
    <time
      dateTime={at}
      title={formatExactInstant(at, zone)}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {children}
    </time>
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of a run or an error, with its instants as they are written on screens. */
export const TextWithInstants = ({ text }: { text: string }) =>
  text.split(INSTANT).map((part, index) => (index % 2 === 1 ? <Instant key={index} at={part} /> : part));
