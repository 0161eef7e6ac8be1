'use client';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';

const MAX_SHOWN = 99;

/** Number of workflows that failed since the user last viewed them, at the navigation's section. */
export function FailingBadge({ className }: { className: string }) {
  const count = useFailingWorkflows();
  if (count === 0) return null;
  const words = `${count === 1 ? 'One workflow' : `${count} workflows`} failed since you last looked`;
  return (
    <span
      title={words}
      className={`inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger-soft px-1 text-xs font-semibold text-danger tabular-nums ${className}`}
    >
      <span aria-hidden>{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

const ASK_MS = 30_000;
const LOOKED = 'patchbay:looked';

/** The user viewed runs: the number of new failures may have changed. */
export const announceLook = (): void => void window.dispatchEvent(new Event(LOOKED));

/** Number of workflows that failed since the user last viewed their runs; polled. */
function useFailingWorkflows(): number {
  const [count, setCount] = useState(0);
  const pathname = usePathname();
  useEffect(() => {
    const asking = new AbortController();
    const ask = () =>
      void fetchJson<{ workflows: number }>('/workflows/failures', asking.signal).then(
        ({ workflows }) => setCount(workflows),
        // The next poll tries again; the screen shows that the server is unreachable.
        () => undefined,
      );
    ask();
    const timer = setInterval(() => document.visibilityState === 'visible' && ask(), ASK_MS);
    window.addEventListener(LOOKED, ask);
    return () => {
      asking.abort();
      clearInterval(timer);
      window.removeEventListener(LOOKED, ask);
    };
  }, [pathname]);
  return count;
}
