import { newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { assertMailIsSetUp, type MailSettings } from '#lib/mail/transport.ts';
import type { AlertContent } from './alert-types.ts';
import { queueDeliveries } from './record-alert.ts';
import { loadDestinations } from './destinations/load-destinations.ts';
import { noSuchDestination } from './destinations/schema.ts';
import { findWorkspace } from './stored-settings.ts';
import { alerts } from './schema.ts';

const CONTENT: AlertContent = {
  title: 'Test alert',
  paragraphs: ['Alerts arrive here. This test was sent from Settings → Alerts.', 'There is nothing to do.'],
  link: { label: 'Open the alerts', path: '/settings/alerts' },
  isTest: true,
};

/**
 * Sends a test alert to one destination; the list of alerts shows the outcome.
 * @throws AppError `not_found`; `conflict` for emails where mail is not set up
 */
export async function testDestination(
  ctx: ActorContext & { settings: MailSettings },
  { id }: { id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const destination = (await loadDestinations(tx, ctx.workspaceId)).find((each) => each.id === id);
    if (!destination) throw noSuchDestination();
    if (destination.config.channel === 'email') assertMailIsSetUp(ctx.settings);
    const alert = {
      id: newId(),
      workspaceId: ctx.workspaceId,
      kind: 'run_failed' as const,
      workflowId: null,
      content: CONTENT,
    };
    await tx.insert(alerts).values(alert);
    await queueDeliveries(ctx, tx, {
      alert,
      workspaceName: (await findWorkspace(tx, ctx.workspaceId)).name,
      destinations: [destination],
    });
    await recordAudit(ctx, tx, 'alert_destination.tested', { id, name: destination.name });
  });
}
