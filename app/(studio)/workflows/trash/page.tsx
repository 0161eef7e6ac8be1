import type { Metadata } from 'next';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { TrashList } from '#components/workflows/trash-list.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listTrash } from '#lib/workflows/trash/trash.ts';
import { TRASH_DAYS } from '#lib/workflows/trash/schema.ts';
import { deletePermanently, moreTrash, restore, setActive } from '../actions.ts';

export const metadata: Metadata = { title: 'Trash' };

const FIRST_PAGE = 50;

export default async function TrashPage() {
  const ctx = await requireMember('viewer');
  return (
    <Page>
      <PageHeader
        title="Trash"
        description={`Deleted workflows can be restored for ${TRASH_DAYS} days.`}
        back={{ href: '/workflows', label: 'Workflows' }}
      />
      <TrashList
        first={await listTrash(ctx, { limit: FIRST_PAGE })}
        canEdit={hasRole(ctx.role, 'editor')}
        actions={{ moreTrash, restore, setActive, deletePermanently }}
      />
    </Page>
  );
}
