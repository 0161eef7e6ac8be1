import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';

const ASK_MS = 30_000;
const LOOKED = 'patchbay:looked';

/** Somebody looked at runs: what was news may be none any more. */
export const announceLook = (): void => void window.dispatchEvent(new Event(LOOKED));

/** How many workflows failed since the user last looked at their runs; asked again and again. */
export function useFailingWorkflows(): number {
  const [count, setCount] = useState(0);
  const pathname = usePathname();
  useEffect(() => {
    const asking = new AbortController();
    const ask = () =>
      void fetchJson<{ workflows: number }>('/workflows/failures', asking.signal).then(
        ({ workflows }) => setCount(workflows),
        // What cannot be asked now is asked again; the screen says that the server is away.
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
