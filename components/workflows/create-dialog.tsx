'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { OfferIcon } from '#components/canvas/task-icon.tsx';
import { NameDialog } from '#components/ui/form/form-dialog.tsx';
import { RadioCards } from '#components/ui/form/radio-cards.tsx';
import { listTriggerOffers } from '#lib/tasks/offers.ts';
import type { WorkflowActions } from './workflow-actions-types.ts';

export interface CreateDialogProps {
  onOpenChange: (open: boolean) => void;
  createBlank: WorkflowActions['createBlank'];
  /** Type of the trigger that is selected at first; left out: the first one. */
  initialTrigger?: string | undefined;
}

/** Asks for a name and a trigger, and opens the new workflow. */
export function CreateDialog({ onOpenChange, createBlank, initialTrigger }: CreateDialogProps) {
  const router = useRouter();
  const offers = listTriggerOffers();
  const [trigger, setTrigger] = useState(initialTrigger ?? offers[0]?.type ?? '');
  return (
    <NameDialog
      open
      onOpenChange={onOpenChange}
      title="Create a workflow"
      description="Select what starts it. Add the rest on the canvas."
      help="You can change both later."
      maxLength={200}
      placeholder="e.g. Order confirmation"
      create={(name) => createBlank({ name: name.trim() || 'New workflow', trigger })}
      onCreated={({ id }) => router.push(`/workflows/${id}`)}
    >
      <RadioCards
        label="Start with"
        value={trigger}
        onValueChange={setTrigger}
        options={offers.map((offer) => ({
          value: offer.type,
          label: offer.name,
          description: offer.summary,
          icon: <OfferIcon offer={offer} />,
        }))}
      />
    </NameDialog>
  );
}
