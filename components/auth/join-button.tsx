'use client';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface JoinButtonProps {
  email: string;
  token: string;
  join: (input: { token: string }) => Promise<ActionResult<void>>;
}

export function JoinButton({ email, token, join }: JoinButtonProps) {
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const accept = () =>
    startTransition(async () => {
      const joined = await join({ token });
      if (!joined.ok) setProblem(joined.error.message);
    });
  return (
    <div className="mt-5 flex flex-col gap-4">
      {problem && (
        <Callout tone="danger" live>
          {problem}
        </Callout>
      )}
      <p>You are signed in as {email}.</p>
      <Button variant="primary" size="lg" loading={busy} onClick={accept}>
        Join workspace
      </Button>
    </div>
  );
}
