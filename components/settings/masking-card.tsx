'use client';
import { useOptimistic, useTransition } from 'react';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface MaskingCardProps {
  masksNumbers: boolean;
  change: (input: { masksNumbers: boolean }) => Promise<ActionResult<void>>;
}

export function MaskingCard({ masksNumbers, change }: MaskingCardProps) {
  const [shown, setShown] = useOptimistic(masksNumbers);
  const [, startTransition] = useTransition();
  const toggle = (next: boolean) =>
    startTransition(async () => {
      setShown(next);
      const changed = await change({ masksNumbers: next });
      if (!changed.ok) toast.error(changed.error.message);
    });
  return (
    <Card
      title="Customer phone numbers"
      description="Masked in lists for everyone. Editors and owners see the full number on a run or event page. Secrets are always masked."
    >
      <Switch label="Mask customer phone numbers" checked={shown} onCheckedChange={toggle} />
    </Card>
  );
}
