import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import type { WorkflowPage } from '#lib/workflows/row-schema.ts';
import type { SortOrder } from '#lib/workflows/sort-workflows.ts';

const TYPING_PAUSE_MS = 200;
const REFRESH_MS = 20_000;

export interface WorkflowQuery {
  text: string;
  /** Empty: all of them. */
  tag: string;
  order: SortOrder;
}

interface Loaded {
  query: string;
  pages: readonly WorkflowPage[];
  error: Error | null;
}

const DEFAULT_QUERY = writeQuery({ text: '', tag: '', order: 'changed' });

/**
 * The list from the server: filtered and sorted over all workflows, a page at a time, and polled every 20 seconds.
 * @param firstPage of the list without filters, as rendered by the server
 */
export function useWorkflowPages(firstPage: WorkflowPage, wanted: WorkflowQuery) {
  const query = writeQuery(wanted);
  const [given, setGiven] = useState(firstPage);
  const [loaded, setLoaded] = useState<Loaded>({ query: DEFAULT_QUERY, pages: [firstPage], error: null });
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const reading = useRef<AbortController>(null);

  // The server rendered the page again after a change.
  if (given !== firstPage) {
    setGiven(firstPage);
    if (loaded.query === DEFAULT_QUERY && loaded.pages.length === 1)
      setLoaded({ query: DEFAULT_QUERY, pages: [firstPage], error: null });
  }

  /** Loads pages after the kept ones up to this number; aborts earlier loading. */
  const read = useCallback(
    async (text: string, { kept, count }: { kept: readonly WorkflowPage[]; count: number }) => {
      reading.current?.abort();
      const stop = new AbortController();
      reading.current = stop;
      const pages = [...kept];
      try {
        while (pages.length < count) {
          const last = pages.at(-1);
          if (last?.next_cursor === null) break;
          pages.push(await fetchJson<WorkflowPage>(toUrl(text, last?.next_cursor), stop.signal));
        }
        if (!stop.signal.aborted) setLoaded({ query: text, pages, error: null });
      } catch (error) {
        if (!stop.signal.aborted) setLoaded((before) => ({ ...before, error: error as Error }));
      } finally {
        if (reading.current === stop) reading.current = null;
      }
    },
    [],
  );

  const isChanging = loaded.query !== query;
  useEffect(() => {
    if (!isChanging) return;
    const timer = setTimeout(() => void read(query, { kept: [], count: 1 }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isChanging, query, read]);

  const { pages } = loaded;
  const refresh = useCallback(() => read(query, { kept: [], count: pages.length }), [query, pages, read]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && reading.current === null) void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  useEffect(() => () => reading.current?.abort(), []);

  const loadMore = useCallback(async () => {
    if (reading.current !== null) return;
    setIsLoadingMore(true);
    await read(query, { kept: pages, count: pages.length + 1 });
    setIsLoadingMore(false);
  }, [query, pages, read]);

  const newest = pages.at(-1) ?? firstPage;
  return {
    rows: uniqueRows(pages),
    matching: newest.matching,
    total: newest.total,
    tags: newest.tags,
    error: loaded.error,
    isChanging,
    hasMore: newest.next_cursor !== null && !isChanging,
    isLoadingMore,
    loadMore,
    refresh,
  };
}

/** A workflow that changed between two pages may be on both. */
const uniqueRows = (pages: readonly WorkflowPage[]) => [
  ...new Map(pages.flatMap(({ data }) => data).map((row) => [row.id, row])).values(),
];

function writeQuery({ text, tag, order }: WorkflowQuery): string {
  return new URLSearchParams({ text: text.trim(), tag, order }).toString();
}

const toUrl = (query: string, cursor: string | null | undefined): string =>
  `/workflows/list?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
