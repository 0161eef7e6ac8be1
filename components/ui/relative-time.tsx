'use client';
import { useSyncExternalStore } from 'react';
import { formatDeadline, formatExactInstant, formatInstant, formatRelative, type Zone } from './format.ts';

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
  return (
    <Time at={at} zone={now === null ? 'UTC' : undefined}>
      {now === null
        ? formatInstant(at, 'UTC')
        : formatRelative(new Date(at).getTime(), Math.max(now, Date.now()))}
    </Time>
  );
}

/** "Nov 22, 2026, 6:05 PM" in the reader's zone; the exact instant is its title. @param at ISO 8601 */
export function Instant({ at }: { at: string }) {
  const zone = useReaderZone();
  return (
    <Time at={at} zone={zone}>
      {formatInstant(at, zone)}
    </Time>
  );
}

/** "tomorrow, 2:52 PM", a deadline; the exact instant is its title. @param at ISO 8601 */
export function Deadline({ at }: { at: string }) {
  const now = useNow();
  const zone = now === null ? 'UTC' : undefined;
  return (
    <Time at={at} zone={zone}>
      {now === null ? formatInstant(at, 'UTC') : formatDeadline(at, Math.max(now, Date.now()))}
    </Time>
  );
}

const Time = ({ at, zone, children }: { at: string; zone: Zone; children: string }) => (
  <time
    dateTime={at}
    title={formatExactInstant(at, zone)}
    className="whitespace-nowrap tabular-nums"
    suppressHydrationWarning
  >
    {children}
  </time>
);

const never = () => () => undefined;

/** UTC during hydration, because the server does not know the reader's zone; then theirs. */
export const useReaderZone = (): Zone =>
  useSyncExternalStore(
    never,
    (): Zone => undefined,
    (): Zone => 'UTC',
  );

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of a run or an error, with its instants in the reader's zone. */
export const TextWithInstants = ({ text }: { text: string }) =>
  text.split(INSTANT).map((part, index) => (index % 2 === 1 ? <Instant key={index} at={part} /> : part));
