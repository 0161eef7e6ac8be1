import type { Metadata } from 'next';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { Gallery } from '#components/workflows/gallery.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { SENDING_STARTERS, STARTERS } from '#lib/editor/starters/starters.ts';
import { startLogin } from '../connections/actions.ts';
import { listOptions } from '../workflows/[id]/actions.ts';
import { createBlank, createFromStarter } from '../workflows/actions.ts';

export const metadata: Metadata = { title: 'Gallery' };

export default async function GalleryPage({ searchParams }: PageProps<'/gallery'>) {
  await requireMember('editor');
  const { starter, connection } = await searchParams;
  const opened =
    typeof starter === 'string'
      ? { starterId: starter, connectionId: typeof connection === 'string' ? connection : undefined }
      : undefined;
  return (
    <Page>
      <PageHeader
        back={{ href: '/workflows', label: 'Workflows' }}
        title="Gallery"
        description="Start from what should begin it, or from a complete workflow: pick one and choose who it sends from."
      />
      <Gallery
        starters={STARTERS}
        senders={SENDING_STARTERS}
        actions={{ createBlank, create: createFromStarter, listOptions, startLogin }}
        opened={opened}
      />
    </Page>
  );
}
