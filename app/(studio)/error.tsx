'use client';
import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';

export default function StudioError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Page narrow>
      <h1 className="mb-4 text-2xl font-semibold">This screen could not be shown</h1>
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft px-4 py-3">
        <p className="min-w-0 flex-1">
          Something went wrong on our side.{' '}
          {error.digest && (
            <>
              The log has it under <code className="font-mono">{error.digest}</code>.
            </>
          )}
        </p>
        <Button onClick={reset}>Try again</Button>
      </div>
    </Page>
  );
}
