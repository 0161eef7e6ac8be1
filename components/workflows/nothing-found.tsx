'use client';
import { SearchX } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';

/** When the search leaves none of so many workflows. */
export const NothingFound = ({ count, clear }: { count: number; clear: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title="No workflow has this name"
    actions={<Button onClick={clear}>Clear the search</Button>}
  >
    {count === 1
      ? 'There is one workflow with another name.'
      : `There are ${count} workflows with other names.`}
  </EmptyState>
);
