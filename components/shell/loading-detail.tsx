import { Skeleton } from '#components/ui/skeleton.tsx';
import { LoadingCards } from './loading-cards.tsx';
import { Page } from './page.tsx';

/** Placeholder for the page of one run, event or connection. */
export const LoadingDetail = () => (
  <Page>
    <Skeleton className="mb-3 h-4 w-24" />
    <Skeleton className="mb-6 h-8 w-64 max-w-full" />
    <LoadingCards />
  </Page>
);
