'use client';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { SignedOutError } from './fetch-json.ts';

/** Why a screen's data could not be loaded, with a retry; without a session, a link to sign in that returns here. */
export function ReadProblem({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof SignedOutError))
    return (
      <Callout tone="danger" live actions={<Button onClick={retry}>Try again</Button>}>
        {error.message}
      </Callout>
    );
  const { pathname, search } = window.location;
  const signIn = `/sign-in?${new URLSearchParams({ next: pathname + search }).toString()}`;
  return (
    <Callout
      tone="warning"
      title="You are signed out"
      live
      actions={
        // A full page load: no data of the earlier session stays in memory.
        <a href={signIn} className={buttonClass({ variant: 'primary' })}>
          Sign in again
        </a>
      }
    >
      This page may be out of date. Sign in to return here.
    </Callout>
  );
}
