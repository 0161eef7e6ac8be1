import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';

const ASK_MS = 30_000;
const LOOKED = 'patchbay:looked';

/** The user viewed runs: the number of new failures may have changed. */
export const announceLook = (): void => void window.dispatchEvent(new Event(LOOKED));

/** Number of workflows that failed since the user last viewed their runs; polled. */
export function useFailingWorkflows(): number {
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
