'use client';
import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';

interface StudioErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** In place of a screen that failed; after an update of the server an open page may ask for parts that are gone. */
export default function StudioError({ error, reset }: StudioErrorProps) {
  const isPartMissing = error.name === 'ChunkLoadError';
  return (
    <Page narrow>
      <h1 className="mb-4 text-2xl font-semibold">This screen could not be shown</h1>
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft px-4 py-3">
        <p className="min-w-0 flex-1">
          {isPartMissing
            ? 'A part of it could not be fetched: Patchbay was updated meanwhile, or the server cannot be reached.'
            : 'Something went wrong on our side. '}
          {error.digest && (
            <>
              The log has it under <code className="font-mono">{error.digest}</code>.
            </>
          )}
        </p>
        {isPartMissing ? (
          <Button onClick={() => window.location.reload()}>Load the page anew</Button>
        ) : (
          <Button onClick={reset}>Try again</Button>
        )}
      </div>
    </Page>
  );
}
