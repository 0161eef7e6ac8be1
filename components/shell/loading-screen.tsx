import { Page } from './page.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

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
