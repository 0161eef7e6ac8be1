'use client';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

export interface LoadMoreProps {
  /** False on the last page. */
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
  /** Number of shown items, with the noun: "50 runs". */
  shown: string;
  /** Loads when the end is scrolled into view; the button remains as a fallback. */
  isAutomatic?: boolean;
}

/** Distance below the view at which loading starts. */
const AHEAD = '600px';

/** The end of a paged list. */
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
    // Depends on the text, because the end may still be in view after loading.
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
