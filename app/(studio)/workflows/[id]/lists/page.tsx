import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ListsScreen } from '#components/lists/lists-screen.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { nullIfMissing } from '#lib/core/errors.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { readSendListsPage } from '#lib/screens/lists/read-send-lists.ts';

export const metadata: Metadata = { title: 'Lists' };

export default async function ListsPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const loaded = await readSendListsPage(ctx, id).catch(nullIfMissing);
  if (loaded === null) notFound();
  const { name, ...screen } = loaded;
  return (
    <Page>
      <PageHeader
        back={{ href: `/workflows/${id}`, label: name }}
        title="Lists"
        description="Send to a list: one run of this workflow for each row of a file."
      />
      <ListsScreen workflowId={id} canEdit={hasRole(ctx.role, 'editor')} {...screen} />
    </Page>
  );
}
