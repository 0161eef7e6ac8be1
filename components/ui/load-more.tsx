'use client';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

export interface LoadMoreProps {
  /** False: this was the last page. */
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
  /** How many are shown by now, with the word: "50 runs". */
  shown: string;
  /** Loads as soon as this end is scrolled into view; the button remains for what that misses. */
  isAutomatic?: boolean;
}

/** How far below the view the end may be when more is loaded. */
const AHEAD = '600px';

/** The end of a list that is read page by page. */
export function LoadMore({ hasMore, loading, onLoadMore, shown, isAutomatic = false }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoadMore);
  useEffect(() => {
    load.current = onLoadMore;
  });
  const isWatched = isAutomatic && hasMore && !loading;
  useEffect(() => {
    if (!isWatched || !end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // Another text: the end may still be in view after more was loaded.
  }, [isWatched, shown]);
  return (
    <div ref={end} className="flex items-center justify-center gap-4 py-4 text-sm text-muted">
      <span aria-live="polite">{shown}</span>
      {hasMore && (
        <Button size="sm" loading={loading} onClick={onLoadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}
