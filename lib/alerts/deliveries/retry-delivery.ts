import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { addJob } from '#lib/core/queue/job-table.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { mails } from '#lib/mail/schema.ts';
import { assertMailIsSetUp, type MailSettings } from '#lib/mail/transport.ts';
import { findWorkspace } from '#lib/alerts/stored-settings.ts';
import { alertDeliveries, alerts } from '../schema.ts';
import { DELIVER_ALERT } from './delivery-types.ts';
import { ALERT_USEFUL_SECONDS, writeMail } from './write-content.ts';

/**
 * Retries a failed delivery.
 * @throws AppError `not_found`; `conflict` when it has not failed, or mail is not set up
 */
export async function retryDelivery(
  ctx: ActorContext & { settings: MailSettings },
  { id }: { id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { delivery, alert } = await lockDelivery(ctx, tx, id);
    if (delivery.channel === 'email') {
      await assertMailFailed(tx, delivery);
      assertMailIsSetUp(ctx.settings);
      const { name: workspaceName } = await findWorkspace(tx, ctx.workspaceId);
      const mailId = await queueMail(tx, ctx.secrets, {
        kind: 'alert',
        to: delivery.target,
        usefulSeconds: ALERT_USEFUL_SECONDS,
        ...writeMail(alert.content, { workspaceName, baseUrl: ctx.baseUrl }),
      });
      await change(tx, id, { mailId });
    } else {
      if (!delivery.failedAt) throw notFailed();
      await change(tx, id, { attempts: 0 });
      await addJob(tx, DELIVER_ALERT, { delivery_id: id });
    }
    await recordAudit(ctx, tx, 'alert.retried', { id: alert.id, name: delivery.target });
  });
}

const change = (
  tx: Transaction,
  id: string,
  more: Partial<typeof alertDeliveries.$inferInsert>,
): Promise<unknown> =>
  tx
    .update(alertDeliveries)
    .set({ failedAt: null, problem: null, ...more })
    .where(eq(alertDeliveries.id, id));

async function lockDelivery(ctx: ActorContext, tx: Transaction, id: string) {
  const [found] = isId(id)
    ? await tx
        .select({ delivery: alertDeliveries, alert: alerts })
        .from(alertDeliveries)
        .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
        .where(and(eq(alertDeliveries.id, id), eq(alerts.workspaceId, ctx.workspaceId)))
        .for('update', { of: alertDeliveries })
    : [];
  if (!found) throw new AppError('not_found', 'This delivery of an alert does not exist.');
  return found;
}

async function assertMailFailed(
  tx: Transaction,
  { mailId, failedAt }: typeof alertDeliveries.$inferSelect,
): Promise<void> {
  if (mailId === null) {
    if (failedAt) return;
    throw notFailed();
  }
  const [mail] = await tx.select({ failedAt: mails.failedAt }).from(mails).where(eq(mails.id, mailId));
  if (mail && !mail.failedAt) throw notFailed();
}

const notFailed = (): AppError =>
  new AppError(
    'conflict',
    'Only an alert that was not delivered can be retried. This alert was delivered or is still pending.',
  );
