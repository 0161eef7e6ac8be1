import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ConnectionScreen } from '#components/connections/connection-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getConnection } from '#lib/messaging/connections/connections.ts';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { listSubscriptions } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import {
  deleteConnection,
  putSubscription,
  recheckConnections,
  registerPhoneNumber,
  removeSubscription,
  renameConnection,
  sendTestMessage,
  startLogin,
  subscribeNotifications,
  unsubscribeNotifications,
} from '../actions.ts';
import { listConnectionUses } from '#lib/screens/connection-uses.ts';

export const metadata: Metadata = { title: 'Connection' };

export default async function ConnectionPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ reconnected?: string; unsubscribed?: string }>;
}) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const { reconnected, unsubscribed } = await searchParams;
  const connection = await getConnection(ctx, { id }).catch(nullIfMissing);
  if (connection === null) notFound();
  const canEdit = hasRole(ctx.role, 'editor');
  const [uses, subscriptions, workflows, receiver] = await Promise.all([
    listConnectionUses(ctx),
    listSubscriptions(ctx, { id }),
    listWorkflowNames(ctx),
    canEdit ? getReceiver(ctx, { id }) : null,
  ]);
  return (
    <Page>
      {reconnected && (
        <div className="mb-4">
          <Callout tone="success" live>
            Reconnected. Workflows that use this connection work again.
          </Callout>
        </div>
      )}
      {unsubscribed && (
        <div className="mb-4">
          <Callout tone="warning" title="Connected, but not subscribed to notifications" live>
            Subscribe below. The health check shows what is wrong.
          </Callout>
        </div>
      )}
      <ConnectionScreen
        connection={{ ...connection, workflows: uses.get(id) ?? [] }}
        subscriptions={subscriptions}
        workflows={workflows}
        receiver={
          receiver && {
            url: receiver.url,
            verifyToken: receiver.verifyToken,
            lastNotificationAt: receiver.lastNotificationAt?.toISOString() ?? null,
          }
        }
        canEdit={canEdit}
        actions={{
          deleteConnection,
          putSubscription,
          recheckConnections,
          registerPhoneNumber,
          removeSubscription,
          renameConnection,
          sendTestMessage,
          startLogin,
          subscribeNotifications,
          unsubscribeNotifications,
        }}
      />
    </Page>
  );
}
