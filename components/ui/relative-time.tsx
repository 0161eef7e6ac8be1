'use client';
import { useSyncExternalStore } from 'react';
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
  const date = new Date(at);
  const exact = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={exact} className="whitespace-nowrap tabular-nums" suppressHydrationWarning>
      {now === null ? exact.slice(0, 16) : formatRelative(date.getTime(), Math.max(now, Date.now()))}
    </time>
  );
}
