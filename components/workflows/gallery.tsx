'use client';
import { useRouter } from 'next/navigation';
import { Suspense, useState, useTransition } from 'react';
import type { ChosenSender, SenderFieldsProps } from '#components/connections/sender-fields.tsx';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { OfferIcon } from '#components/canvas/task-icon.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { listTriggerOffers } from '#lib/tasks/offers.ts';
import type { Starter } from '#lib/editor/starters/build.ts';
import { StarterCard } from './starter-card.tsx';
import type { WorkflowActions } from './workflow-actions-types.ts';

const CreateDialog = onDemand(async () => (await import('./create-dialog.tsx')).CreateDialog);
const StarterDialog = onDemand(async () => (await import('./starter-dialog.tsx')).StarterDialog);

const ALL = 'All';

export interface GalleryProps {
  starters: readonly Starter[];
  /** Ids of those that send messages: they need a sender. */
  senders: readonly string[];
  actions: {
    createBlank: WorkflowActions['createBlank'];
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

/** Triggers for empty workflows, and starters, grouped by purpose. */
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
      <FromTrigger createBlank={actions.createBlank} />
      <h2 className="mb-3 text-lg font-semibold">Complete workflows</h2>
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

/** A card for each trigger: it opens the dialog for an empty workflow with it. */
function FromTrigger({ createBlank }: Pick<GalleryProps['actions'], 'createBlank'>) {
  const [trigger, setTrigger] = useState<string>();
  const close = () => setTrigger(undefined);
  return (
    <section aria-label="Empty workflows" className="mb-8">
      <h2 className="mb-3 text-lg font-semibold">Start with an empty workflow</h2>
      <ul className="grid gap-3 sm:grid-cols-3">
        {listTriggerOffers().map((offer) => (
          <li key={offer.type} className="flex">
            <button
              type="button"
              onPointerEnter={CreateDialog.preload}
              onClick={() => setTrigger(offer.type)}
              className="flex flex-1 items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-left shadow-raised hover:border-line-strong hover:bg-hover"
            >
              <OfferIcon offer={offer} />
              <span className="min-w-0">
                <span className="block font-medium">{offer.name}</span>
                <span className="block text-sm text-muted">{offer.summary}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Suspense>
        {trigger !== undefined && (
          <CreateDialog
            onOpenChange={(open) => !open && close()}
            onDismiss={close}
            createBlank={createBlank}
            initialTrigger={trigger}
          />
        )}
      </Suspense>
    </section>
  );
}
