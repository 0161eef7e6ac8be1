import type { Metadata } from 'next';
import Link from 'next/link';
import { AlertList } from '#components/alerts/alert-list.tsx';
import { DestinationsCard } from '#components/alerts/destinations-card.tsx';
import { ThresholdsCard } from '#components/alerts/thresholds-card.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { loadDestinations } from '#lib/alerts/destinations/load-destinations.ts';
import { listAlerts } from '#lib/alerts/list-alerts.ts';
import { loadAlertSettings } from '#lib/alerts/stored-settings.ts';
import { env } from '#lib/core/env.ts';
import { type MemberContext, requireMember } from '#lib/identity/auth/session.ts';
import { listMembers } from '#lib/identity/members/members.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { describeMailSetup } from '#lib/mail/transport.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import {
  addDestination,
  changeDestination,
  moreAlerts,
  removeDestination,
  saveThresholds,
  sendTestAlert,
  tryAgain,
} from './actions.ts';

export const metadata: Metadata = { title: 'Alerts' };

const FIRST_PAGE = 25;

export default async function AlertsPage() {
  const ctx = await requireMember('viewer');
  const first = await listAlerts(ctx, { limit: FIRST_PAGE });
  const isOwner = hasRole(ctx.role, 'owner');
  return (
    <div className="flex flex-col gap-6">
      {describeMailSetup(env()) === null && <NoMail isOwner={isOwner} />}
      {isOwner && <AlertSetup ctx={ctx} />}
      <section className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">Sent alerts</h2>
        <AlertList
          first={first}
          loadMore={moreAlerts}
          retry={hasRole(ctx.role, 'editor') ? tryAgain : undefined}
        />
      </section>
    </div>
  );
}

/** Destinations and thresholds, for owners. */
async function AlertSetup({ ctx }: { ctx: MemberContext }) {
  const [destinations, settings, members, workflows, firstWorkspaceId] = await Promise.all([
    loadDestinations(ctx.db, ctx.workspaceId),
    loadAlertSettings(ctx.db, ctx.workspaceId),
    listMembers(ctx),
    listWorkflowNames(ctx),
    findFirstWorkspace(ctx.db),
  ]);
  return (
    <>
      <DestinationsCard
        destinations={destinations}
        ownersId={ctx.workspaceId}
        members={members.map(({ userId, email }) => ({ userId, email }))}
        workflows={workflows}
        actions={{
          add: addDestination,
          change: changeDestination,
          remove: removeDestination,
          sendTest: sendTestAlert,
        }}
      />
      <ThresholdsCard
        settings={settings}
        isFirstWorkspace={firstWorkspaceId === ctx.workspaceId}
        save={saveThresholds}
      />
    </>
  );
}

const NoMail = ({ isOwner }: { isOwner: boolean }) => (
  <Callout tone="warning" title="Mail is not set up">
    Alerts are recorded here, but nobody gets an email.{' '}
    {isOwner ? (
      <>
        See{' '}
        <Link href="/settings/mail" className="text-accent underline">
          Settings → Mail
        </Link>
        .
      </>
    ) : (
      'An owner can set it up in Settings → Mail.'
    )}
  </Callout>
);
