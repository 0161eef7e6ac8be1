'use client';
import { Button } from './button.tsx';

export interface LoadMoreProps {
  /** False: this was the last page. */
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
  /** How many are shown by now, with the word: "50 runs". */
  shown: string;
}

/** The end of a list that is read page by page. */
export const LoadMore = ({ hasMore, loading, onLoadMore, shown }: LoadMoreProps) => (
  <div className="flex items-center justify-center gap-4 py-4 text-sm text-muted">
    <span aria-live="polite">{shown}</span>
    {hasMore && (
      <Button size="sm" loading={loading} onClick={onLoadMore}>
        Load more
      </Button>
    )}
  </div>
);
