'use client';
import { Suspense } from 'react';
import { onDemand } from '#components/ui/on-demand.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import type { GalleryProps } from './gallery.tsx';

const Gallery = onDemand(async () => (await import('./gallery.tsx')).Gallery);

/** The gallery in place of an empty list; not loaded otherwise. */
export const FirstWorkflow = (props: GalleryProps) => (
  <section aria-label="Gallery" className="mt-8">
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <Gallery {...props} />
    </Suspense>
  </section>
);
