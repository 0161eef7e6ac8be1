'use client';
import { Page } from '#components/shell/page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';

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
      <Callout tone="danger" live actions={<Button onClick={reset}>Try again</Button>}>
        Something went wrong on our side.{' '}
        {error.digest && (
          <>
            The log has it under <code className="font-mono">{error.digest}</code>.
          </>
        )}
      </Callout>
    </Page>
  );
}
