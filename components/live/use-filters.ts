'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

export interface Filters {
  /** Undefined: no filter. */
  get: (name: string) => string | undefined;
  set: (changes: Readonly<Record<string, string | undefined>>) => void;
  clear: () => void;
  /** The sorted query string: equal filters give equal texts. */
  query: string;
}

/** A list's filters in the URL, so that they survive a reload and can be shared. */
export function useFilters(): Filters {
  const params = useSearchParams();
  const set = useCallback((changes: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    replaceQuery(next);
  }, []);
  const clear = useCallback(() => replaceQuery(new URLSearchParams()), []);
  const sorted = new URLSearchParams(params);
  sorted.sort();
  return { get: (name) => params.get(name) ?? undefined, set, clear, query: sorted.toString() };
}

function replaceQuery(query: URLSearchParams): void {
  const text = query.toString();
  window.history.replaceState(null, '', text ? `?${text}` : window.location.pathname);
}
