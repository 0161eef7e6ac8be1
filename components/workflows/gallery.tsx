'use client';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Starter } from '#lib/editor/starters/starter-types.ts';
import { StarterCard } from './starter-card.tsx';

const ALL = 'All';

export interface GalleryProps {
  starters: readonly Starter[];
  create: (input: { starterId: string }) => Promise<ActionResult<{ id: string }>>;
}

/** Workflows to begin with, by what they are for. */
export function Gallery({ starters, create }: GalleryProps) {
  const [category, setCategory] = useState<Starter['category'] | typeof ALL>(ALL);
  const [chosen, setChosen] = useState('');
  const [busy, startTransition] = useTransition();
  const router = useRouter();
  const categories = [ALL, ...new Set(starters.map((starter) => starter.category))] as const;
  const use = ({ id }: Starter) => {
    setChosen(id);
    startTransition(async () => {
      const made = await create({ starterId: id });
      if (made.ok) router.push(`/workflows/${made.data.id}`);
      else showActionError(made.error);
    });
  };
  return (
    <>
      <div className="mb-5 overflow-x-auto">
        <SegmentedControl
          label="Use case"
          options={categories.map((value) => ({ value, label: value }))}
          value={category}
          onValueChange={setCategory}
        />
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {starters
          .filter((starter) => category === ALL || starter.category === category)
          .map((starter) => (
            <li key={starter.id} className="flex">
              <StarterCard
                starter={starter}
                busy={busy && chosen === starter.id}
                onUse={() => use(starter)}
              />
            </li>
          ))}
      </ul>
    </>
  );
}
