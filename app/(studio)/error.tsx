'use client';
import { Page } from '#components/ui/page.tsx';
import { Button } from '#components/ui/button.tsx';

interface StudioErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Replaces a screen that failed; after an update of the server an open page may request removed files. */
export default function StudioError({ error, reset }: StudioErrorProps) {
  const isPartMissing = error.name === 'ChunkLoadError';
  return (
    <Page narrow>
      <h1 className="mb-4 text-2xl font-semibold">This page could not be displayed</h1>
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft px-4 py-3">
        <p className="min-w-0 flex-1">
          {isPartMissing
            ? 'Part of it could not be loaded: Patchbay was updated in the meantime, or the server cannot be reached.'
            : 'Something went wrong on our side. '}
          {error.digest && (
            <>
              Request ID: <code className="font-mono">{error.digest}</code>.
            </>
          )}
        </p>
        {isPartMissing ? (
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
        ) : (
          <Button onClick={reset}>Try again</Button>
        )}
      </div>
    </Page>
  );
}
