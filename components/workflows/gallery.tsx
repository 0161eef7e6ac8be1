'use client';
import { useRouter } from 'next/navigation';
import { Suspense, useState, useTransition } from 'react';
import type { ChosenSender, SenderFieldsProps } from '#components/connections/sender-fields.tsx';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Starter } from '#lib/editor/starters/build.ts';
import { StarterCard } from './starter-card.tsx';

const StarterDialog = onDemand(async () => (await import('./starter-dialog.tsx')).StarterDialog);

const ALL = 'All';

export interface GalleryProps {
  starters: readonly Starter[];
  /** Ids of those that send messages: they need a sender. */
  senders: readonly string[];
  actions: {
    create: (input: { starterId: string; sender?: ChosenSender }) => Promise<ActionResult<{ id: string }>>;
    listOptions: SenderFieldsProps['listOptions'];
    startLogin: (input: {
      id?: string | undefined;
      origin: { starterId: string };
    }) => Promise<ActionResult<{ url: string }>>;
  };
  /** After the login: the starter, and the new connection. */
  opened?: { starterId: string; connectionId: string | undefined } | undefined;
}

/** Starters, grouped by purpose. */
export function Gallery({ starters, senders, actions, opened }: GalleryProps) {
  const [category, setCategory] = useState<Starter['category'] | typeof ALL>(ALL);
  const [chosen, setChosen] = useState(opened?.starterId ?? '');
  const [asking, setAsking] = useState(opened?.starterId);
  const [busy, startTransition] = useTransition();
  const router = useRouter();
  const categories = [ALL, ...new Set(starters.map((starter) => starter.category))] as const;
  const create = (id: string, sender: ChosenSender | undefined) => {
    setChosen(id);
    startTransition(async () => {
      const made = await actions.create(sender ? { starterId: id, sender } : { starterId: id });
      if (!made.ok) return showActionError(made.error);
      router.push(`/workflows/${made.data.id}`);
    });
  };
  const use = ({ id }: Starter) => (senders.includes(id) ? setAsking(id) : create(id, undefined));
  const asked = starters.find(({ id }) => id === asking);
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
      {asked && (
        <Suspense>
          <StarterDialog
            starter={asked}
            connectionId={asked.id === opened?.starterId ? opened.connectionId : undefined}
            busy={busy}
            listOptions={actions.listOptions}
            startLogin={({ id }) => actions.startLogin({ id, origin: { starterId: asked.id } })}
            create={(sender) => create(asked.id, sender)}
            close={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
