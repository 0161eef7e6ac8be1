import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EventScreen } from '#components/events/event-screen.tsx';
import { Page, RemovedPage } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { explainMissing } from '#lib/identity/workspaces/retention.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { planReplay } from '#lib/events/replay-event.ts';
import { replayEvent } from '../actions.ts';
import { readEvent } from '#lib/screens/read-events.ts';

export const metadata: Metadata = { title: 'Event' };

export default async function EventPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const [event, replayPlan] = await Promise.all([
    readEvent(ctx, id).catch(nullIfMissing),
    planReplay(ctx, { ids: [id] }),
  ]);
  if (event === null) {
    const why = await explainMissing(ctx, 'events', id);
    if (why === undefined) notFound();
    return (
      <RemovedPage noun="Event" back={{ href: '/events', label: 'Events' }}>
        {why}
      </RemovedPage>
    );
  }
  const workflow = (await findWorkflowNames(ctx, [event.workflowId])).get(event.workflowId ?? '');
  return (
    <Page>
      <EventScreen
        event={event}
        workflow={workflow}
        canEdit={hasRole(ctx.role, 'editor')}
        replayEvent={replayEvent}
        replayPlan={replayPlan}
      />
    </Page>
  );
}
