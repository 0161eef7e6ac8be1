'use client';
import { useSyncExternalStore } from 'react';
import { formatExactInstant, formatInstant } from './format-instant.ts';
import { formatRelative } from './format-relative.ts';

const TICK_MS = 15_000;

const subscribe = (notify: () => void) => {
  const timer = setInterval(notify, TICK_MS);
  return () => clearInterval(timer);
};

const currentTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** "3 minutes ago", kept up to date; the exact instant is its title. @param at ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, currentTick, () => null);
  return (
    <Time at={at} isFirstPicture={now === null}>
      {now === null
        ? formatInstant(at, 'UTC')
        : formatRelative(new Date(at).getTime(), Math.max(now, Date.now()))}
    </Time>
  );
}

const never = () => () => undefined;

/** "Nov 22, 2026, 6:05 PM" in the reader's zone; the exact instant is its title. @param at ISO 8601. */
export function Instant({ at }: { at: string }) {
  const isFirstPicture = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  return (
    <Time at={at} isFirstPicture={isFirstPicture}>
      {formatInstant(at, isFirstPicture ? 'UTC' : undefined)}
    </Time>
  );
}

/** @param isFirstPicture made by the server, which does not know the reader's zone */
const Time = ({
  at,
  isFirstPicture,
  children,
}: {
  at: string;
  isFirstPicture: boolean;
  children: string;
}) => (
  <time
    dateTime={at}
    title={formatExactInstant(at, isFirstPicture ? 'UTC' : undefined)}
    className="whitespace-nowrap tabular-nums"
    suppressHydrationWarning
  >
    {children}
  </time>
);
