import type { Metadata } from 'next';
import { EventsScreen } from '#components/events/events-screen.tsx';
import { ExportDialog } from '#components/exports/export-dialog.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { findReplayable, planReplay, replayEvents } from './actions.ts';
import { eventFilterSchema, readEvents } from '#lib/screens/read-events.ts';

export const metadata: Metadata = { title: 'Events' };

export default async function EventsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const ctx = await requireMember('viewer');
  const filter = eventFilterSchema.parse({ ...(await searchParams), cursor: undefined });
  const [firstPage, workflows] = await Promise.all([readEvents(ctx, filter), listWorkflowNames(ctx)]);
  return (
    <Page>
      <PageHeader
        title="Events"
        description="Every request to a webhook, and every notification of your connections, with its outcome."
        actions={<ExportDialog kind="events" />}
      />
      <EventsScreen
        firstPage={firstPage}
        workflows={workflows}
        canEdit={hasRole(ctx.role, 'editor')}
        replayEvents={replayEvents}
        planReplay={planReplay}
        findReplayable={findReplayable}
      />
    </Page>
  );
}
