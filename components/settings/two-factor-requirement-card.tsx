'use client';
import { useOptimistic, useTransition } from 'react';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface TwoFactorRequirementCardProps {
  required: boolean;
  /** Of the identity provider; null: there is none. */
  providerName: string | null;
  change: (input: { required: boolean }) => Promise<ActionResult<void>>;
}

export function TwoFactorRequirementCard({ required, providerName, change }: TwoFactorRequirementCardProps) {
  const [shown, setShown] = useOptimistic(required);
  const [, startTransition] = useTransition();
  const toggle = (next: boolean) =>
    startTransition(async () => {
      setShown(next);
      const changed = await change({ required: next });
      if (!changed.ok) toast.error(changed.error.message);
    });
  return (
    <Card
      title="Two-factor sign-in"
      description={`Members who sign in with a password and have no second factor set one up at their next sign-in. A passkey counts as both. Browsers that are already signed in stay signed in for up to 30 days.${
        providerName ? ` Sign-in with ${providerName} is not affected.` : ''
      }`}
    >
      <Switch label="Require two-factor sign-in" checked={shown} onCheckedChange={toggle} />
    </Card>
  );
}
