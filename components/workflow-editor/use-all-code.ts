import { useEffect, useState } from 'react';
import { fetchAllCode } from '#components/ui/later.ts';
import { untilIdle } from '#components/ui/until-idle.ts';

/** Delay, so that the page itself loads first; parts that are needed earlier are loaded on use. */
const START_MS = 3000;
const RETRY_MS = 10_000;

/**
 * Loads everything that the editor may open later while the browser is idle, so that no control depends on the network.
 * @returns whether it is complete
 */
export function useAllCode(): boolean {
  const [isComplete, setComplete] = useState(false);
  useEffect(() => {
    if (isComplete) return;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      clearTimeout(timer);
      stopListening();
      fetchAllCode(untilIdle).then(
        () => setComplete(true),
        () => {
          timer = setTimeout(start, RETRY_MS);
        },
      );
    };
    const stopListening = () => {
      window.removeEventListener('pointerdown', start);
      window.removeEventListener('keydown', start);
    };
    timer = setTimeout(start, START_MS);
    window.addEventListener('pointerdown', start);
    window.addEventListener('keydown', start);
    return () => {
      clearTimeout(timer);
      stopListening();
    };
  }, [isComplete]);
  return isComplete;
}
