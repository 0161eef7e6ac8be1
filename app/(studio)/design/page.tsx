import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { Gallery } from '#components/ui/gallery.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { env } from '#lib/core/env.ts';

export const metadata: Metadata = { title: 'Design' };

/** All components on one screen: for owners of a development installation. */
export default async function DesignPage() {
  await requireMember('owner');
  if (env().PATCHBAY_ENV === 'production') notFound();
  return (
    <Page>
      <PageHeader title="Design" description="Every interface component in the current theme." />
      <Gallery now={new Date().toISOString()} />
    </Page>
  );
}
