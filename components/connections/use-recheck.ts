import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { RECHECK_MS } from '#lib/messaging/connections/recheck-age.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';

export type Recheck = (input: { id?: string }) => Promise<ActionResult<void>>;

type Checked = Pick<Connection, 'id' | 'checked_at'>;

/**
 * Checks a page's connections with the platform once, if their last check is not recent.
 * @returns ids of the connections being checked
 */
export function useRecheck(connections: readonly Checked[], recheck: Recheck): ReadonlySet<string> {
  const router = useRouter();
  const [isDone, setDone] = useState(false);
  const [isReading, startReading] = useTransition();
  const stale = connections.filter(isStale).map(({ id }) => id);
  const isNeeded = stale.length > 0 && !isDone;
  const only = connections.length === 1 ? connections[0]?.id : undefined;
  useEffect(() => {
    if (!isNeeded) return;
    void recheck(only === undefined ? {} : { id: only })
      // Offline, the known state stays.
      .catch(() => undefined)
      .finally(() =>
        startReading(() => {
          setDone(true);
          router.refresh();
        }),
      );
  }, [isNeeded, only, recheck, router]);
  return new Set(isNeeded || isReading ? stale : []);
}

const isStale = ({ checked_at: at }: Checked): boolean =>
  at === null || Date.now() - Date.parse(at) > RECHECK_MS;
