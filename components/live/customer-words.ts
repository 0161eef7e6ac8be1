// What customers are called on screens, and their search for the command palette.
import { useEffect, useState } from 'react';
import { fetchJson } from './fetch-json.ts';
import type { CustomerSummary } from '#lib/screens/customer-schema.ts';
import type { ListPage } from '#lib/screens/list-types.ts';

/** "+491711234567"; of a masked one "••••4567". */
export const writeNumber = (number: string): string => (/^\d/.test(number) ? `+${number}` : number);

type Named = Pick<CustomerSummary, 'numbers' | 'user_ids' | 'profile_name'>;

/** The name, else the number, else the user id of a customer. */
export const nameCustomer = ({ numbers, user_ids: userIds, profile_name: name }: Named): string =>
  name ?? (numbers[0] === undefined ? (userIds[0] ?? 'Customer') : writeNumber(numbers[0]));

/** All numbers, else the user ids, of a customer. */
export const describeNames = ({ numbers, user_ids: userIds }: Named): string =>
  (numbers.length > 0 ? numbers.map(writeNumber) : userIds).join(', ');

/** Whether a text is the platform's id of a message. */
export const isMessageId = (text: string): boolean => /^wamid\.\S+$/.test(text.trim());

/** The page of a message. */
export const messageHref = (id: string): string => `/messages/${encodeURIComponent(id)}`;

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
