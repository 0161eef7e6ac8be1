'use client';
import { UserRound } from 'lucide-react';
import { useFilters } from '#components/live/use-filters.ts';
import { Link } from '#components/ui/link.tsx';
import { writeNumber } from './customer-words.ts';

/** Whose runs a list has; nothing once the filter is cleared. @param name null: the customer does not exist */
export function CustomerOfRuns({ id, name }: { id: string; name: string | null }) {
  const filters = useFilters();
  if (filters.get('customer') !== id) return null;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2">
      <UserRound aria-hidden className="size-4 text-muted" />
      {name === null ? (
        'Runs of a customer who does not exist any more.'
      ) : (
        <span>
          Runs with{' '}
          <Link href={`/customers/${id}`} className="text-accent underline hover:no-underline">
            {writeNumber(name)}
          </Link>
        </span>
      )}
    </p>
  );
}
