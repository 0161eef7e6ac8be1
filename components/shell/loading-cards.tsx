import { Skeleton } from '#components/ui/skeleton.tsx';

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
