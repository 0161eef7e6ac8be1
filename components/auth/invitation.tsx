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

export interface OtherAccountProps {
  /** Recipient of the invitation. */
  invited: string;
  signedIn: string;
  token: string;
  signOut: (input: { token: string }) => Promise<ActionResult<void>>;
}

/** For users who open an invitation for another address. */
export function OtherAccount({ invited, signedIn, token, signOut }: OtherAccountProps) {
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const leave = () =>
    startTransition(async () => {
      const left = await signOut({ token });
      if (!left.ok) setProblem(left.error.message);
    });
  return (
    <div className="mt-5 flex flex-col gap-4">
      <Callout tone="warning" title="This invitation is for another account">
        It can be accepted with <strong className="wrap-anywhere">{invited}</strong> only. You are signed in
        as <span className="wrap-anywhere">{signedIn}</span>.
      </Callout>
      {problem && (
        <Callout tone="danger" live>
          {problem}
        </Callout>
      )}
      <Button variant="primary" size="lg" loading={busy} onClick={leave}>
        Sign out and use another account
      </Button>
      <p className="text-sm text-muted">
        Is {signedIn} your only address? Ask the person who invited you to send the invitation to it.
      </p>
    </div>
  );
}
