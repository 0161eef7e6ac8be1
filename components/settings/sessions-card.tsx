'use client';
import { useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface SessionsCardProps {
  signOutElsewhere: (input: Record<string, never>) => Promise<ActionResult<{ endedSessions: number }>>;
}

export function SessionsCard({ signOutElsewhere }: SessionsCardProps) {
  const [busy, startTransition] = useTransition();
  const end = () =>
    startTransition(async () => {
      const ended = await signOutElsewhere({});
      if (!ended.ok) return showActionError(ended.error);
      const { endedSessions } = ended.data;
      toast.success(
        endedSessions === 0
          ? 'You are not signed in anywhere else'
          : `Signed out in ${endedSessions === 1 ? 'one other browser' : `${endedSessions} other browsers`}`,
      );
    });
  return (
    <Card
      title="Other browsers"
      description="Sign out of sessions you left open in other browsers."
      actions={
        <Button loading={busy} onClick={end}>
          Sign out everywhere else
        </Button>
      }
    >
      <p className="text-muted">This browser stays signed in.</p>
    </Card>
  );
}
