'use client';
import { useEffect } from 'react';
import { untilIdle } from '#components/ui/later.ts';

const POLL_MS = 50;

/** The server's page is complete: no part of it is still replaced by a loading screen (`data-loading`). */
const isShown = () => document.readyState === 'complete' && document.querySelector('[data-loading]') === null;

/**
 * Sets `data-hydrated` on `<html>` as soon as the page that the server sent reacts to clicks and keys. A page is seen
 * before that; browser tests wait for the attribute (`e2e/open-page.ts`). React hydrates each part behind a loading
 * screen on its own, after this effect, and leaves the browser no idle time while it has work.
 */
export function HydrationMark() {
  useEffect(() => {
    let isOver = false;
    const mark = async () => {
      while (!isOver && !isShown()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      await untilIdle();
      if (!isOver) document.documentElement.dataset['hydrated'] = '';
    };
    void mark();
    return () => {
      isOver = true;
    };
  }, []);
  return null;
}
