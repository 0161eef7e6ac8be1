'use client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchJson } from './fetch-json.ts';
import type { ListPage } from '#lib/screens/list-types.ts';

const POLL_MS = 3000;
const SLOW_POLL_MS = 15_000;
/** With more pages, polling is slower. */
const MAX_PAGES_POLLED_OFTEN = 3;
/** Number of pages that a search loads automatically while it finds little. */
const MAX_AUTOMATIC_PAGES = 10;
const ENOUGH_ROWS = 10;

/** A list with live updates at its top and pages at its end. */
export function useLiveList<Row>(path: string, query: string, firstPage: ListPage<Row>) {
  const [firstQuery] = useState(query);
  const isSearch = new URLSearchParams(query).has('text');
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) => fetchJson<ListPage<Row>>(withCursor(path, query, pageParam), signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isSearch || isCostly(state.data?.pages ?? []) ? SLOW_POLL_MS : POLL_MS),
    ...(query === firstQuery ? { initialData: { pages: [firstPage], pageParams: [''] } } : {}),
  });
  const pages = list.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.data);
  const searchedTo = pages.at(-1)?.searched_to ?? null;
  const { fetchNextPage, isFetching } = list;
  const goesOn = searchedTo !== null && rows.length < ENOUGH_ROWS && pages.length < MAX_AUTOMATIC_PAGES;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return {
    rows,
    searchedTo,
    error: list.error,
    /** The rows of changed filters are loading. */
    isChanging: list.isPlaceholderData,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    refresh: () => void list.refetch(),
  };
}

const isCostly = (pages: readonly ListPage<unknown>[]): boolean =>
  pages.length > MAX_PAGES_POLLED_OFTEN || pages.some((page) => page.searched_to !== null);

function withCursor(path: string, query: string, cursor: string): string {
  const params = new URLSearchParams(query);
  if (cursor) params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}
