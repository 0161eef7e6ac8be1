'use client';
import { SearchX } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/page.tsx';

/** For a search without results. */
export const NothingFound = ({ count, clear }: { count: number; clear: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title="No workflow matches"
    actions={<Button onClick={clear}>Clear search and tag</Button>}
  >
    {count === 1 ? 'There is 1 other workflow.' : `There are ${count} other workflows.`}
  </EmptyState>
);
