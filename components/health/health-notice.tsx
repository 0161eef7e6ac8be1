'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Callout } from '#components/ui/callout.tsx';
import { type HealthCheck, NEEDED_BY_RUNS } from '#lib/screens/health-types.ts';

const HEALTH_PAGE = '/settings/health';
/** Route of the checks. */
export const HEALTH_PATH = `${HEALTH_PAGE}/checks`;
/** Route of the messaging limits. */
export const LIMITS_PATH = `${HEALTH_PAGE}/limits`;

const ASK_MS = { whenWell: 30_000, whenFailing: 3000 };

/** Shows on every screen that runs are not executed, while that is so. */
export function HealthNotice() {
  const [isFailing, setFailing] = useState(false);
  const isOnHealthPage = usePathname() === HEALTH_PAGE;
  useEffect(() => {
    // That page polls, and shows it itself.
    if (isOnHealthPage) return;
    const asking = new AbortController();
    const ask = () =>
      fetchJson<HealthCheck[]>(HEALTH_PATH, asking.signal).then(
        (checks) =>
          setFailing(checks.some(({ id, result }) => NEEDED_BY_RUNS.includes(id) && result === 'failed')),
        // The server is unreachable: the screen itself shows that.
        () => undefined,
      );
    void ask();
    const timer = setInterval(() => void ask(), isFailing ? ASK_MS.whenFailing : ASK_MS.whenWell);
    return () => {
      clearInterval(timer);
      asking.abort();
    };
  }, [isFailing, isOnHealthPage]);
  if (!isFailing || isOnHealthPage) return null;
  return (
    <div className="p-3 pb-0">
      <Callout
        tone="danger"
        live
        title="Workflows are not running"
        actions={
          <Link href={HEALTH_PAGE} className="font-medium underline">
            See what is wrong
          </Link>
        }
      >
        Webhooks are still accepted. Their runs start as soon as this is fixed.
      </Callout>
    </div>
  );
}
