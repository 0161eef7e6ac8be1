import { useEffect, useState } from 'react';
import { describeNames, nameCustomer } from '#components/live/customer-words.ts';
import { fetchJson } from '#components/live/fetch-json.ts';
import type { CustomerSummary } from '#lib/screens/customer-schema.ts';
import type { ListPage } from '#lib/screens/list-types.ts';

const TYPING_PAUSE_MS = 200;
const MIN_CHARACTERS = 3;
const MAX_FOUND = 6;

export interface FoundCustomer {
  id: string;
  title: string;
  detail: string;
}

/** Customers for the command palette; none until enough is typed. */
export function useFoundCustomers(search: string): readonly FoundCustomer[] {
  const text = search.trim();
  const [found, setFound] = useState<readonly FoundCustomer[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      if (text.length < MIN_CHARACTERS) return setFound([]);
      const query = new URLSearchParams({ text, limit: String(MAX_FOUND) });
      // The palette works without them: the list of customers says what is wrong.
      fetchJson<ListPage<CustomerSummary>>(`/customers/list?${query.toString()}`, controller.signal)
        .then(({ data }) => setFound(data.map(toFound)))
        .catch(() => controller.signal.aborted || setFound([]));
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return text.length < MIN_CHARACTERS ? [] : found.slice(0, MAX_FOUND);
}

const toFound = (customer: CustomerSummary): FoundCustomer => ({
  id: customer.id,
  title: nameCustomer(customer),
  detail: describeNames(customer),
});
