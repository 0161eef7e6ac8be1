import type { Metadata } from 'next';
import { Page } from '#components/shell/page.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Gallery } from '#components/workflows/gallery.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { createFromStarter } from '../workflows/actions.ts';

export const metadata: Metadata = { title: 'Gallery' };

export default async function GalleryPage() {
  await requireMember('editor');
  return (
    <Page>
      <PageHeader
        back={{ href: '/workflows', label: 'Workflows' }}
        title="Gallery"
        description="Complete workflows to start from. Pick one, select your number in its message tasks, and publish."
      />
      <Gallery starters={STARTERS} create={createFromStarter} />
    </Page>
  );
}
