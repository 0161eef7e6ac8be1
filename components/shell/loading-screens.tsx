import { Skeleton } from '#components/ui/loading.tsx';
import { Page } from '#components/ui/page.tsx';

/**
 * Placeholder for a screen. The editor and its canvas have none: React delays the replacement of a placeholder for 300 ms
 * after the first paint, longer than the server needs for them.
 */
export function LoadingScreen() {
  return (
    <Page>
      <p role="status" data-loading className="sr-only">
        Loading
      </p>
      <div className="mb-6 flex items-end justify-between">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-9 w-32" />
      </div>
      <Skeleton className="mb-4 h-9 w-full max-w-sm" />
      <div className="flex flex-col gap-2">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} className="h-14 w-full" />
        ))}
      </div>
    </Page>
  );
}

/** Placeholder for the page of one run, event or connection. */
export const LoadingDetail = () => (
  <Page>
    <Skeleton className="mb-3 h-4 w-24" />
    <Skeleton className="mb-6 h-8 w-64 max-w-full" />
    <LoadingCards />
  </Page>
);

/** Placeholder for a page of cards, below its title. */
export const LoadingCards = () => (
  <>
    <p role="status" data-loading className="sr-only">
      Loading
    </p>
    <div className="flex flex-col gap-6">
      {Array.from({ length: 2 }, (_, index) => (
        <div
          key={index}
          className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 shadow-raised"
        >
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-full max-w-md" />
          <Skeleton className="mt-2 h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      ))}
    </div>
  </>
);
