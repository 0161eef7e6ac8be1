'use client';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { SignedOutError } from './fetch-json.ts';

/** Why a screen's data could not be read, and the way on: for who is signed out the sign-in that leads back here. */
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
        // A whole new page: nothing of what the last session read stays in memory.
        <a href={signIn} className={buttonClass({ variant: 'primary' })}>
          Sign in again
        </a>
      }
    >
      This page may be out of date. Sign in to return here.
    </Callout>
  );
}
