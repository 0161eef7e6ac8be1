// Sends alerts to webhooks and workflows: each is claimed, sent and recorded separately, so that no two workers send the same
// one and none is lost.
import { eq, sql } from 'drizzle-orm';
import { about } from '#lib/core/log-fields.ts';
import { queryRows } from '#lib/core/db/sql.ts';
import type { AlertContent, DestinationConfig } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertDeliveries } from '../schema.ts';
import type { Attempt, DueDelivery } from './delivery-types.ts';
import { postWebhook } from './post-webhook.ts';
import { startWorkflow } from './start-workflow.ts';
import { toColumns } from './to-columns.ts';
import { writePayload } from './write-payload.ts';

/** Deliveries sent at the same time. */
const LANES = 10;
/** Longer than an attempt can take: after it, deliveries that a dead worker had claimed are retried. */
const LEASE_SECONDS = 120;

/** Sends webhooks and starts workflows that are due. A receiver that does not respond blocks one lane, not the others. */
export async function sendDueDeliveries(runtime: AlertRuntime): Promise<void> {
  const due = await claimDue(runtime, LANES);
  await Promise.all(
    due.map(async (first) => {
      for (let row: Row | undefined = first; row; [row] = await claimDue(runtime, 1))
        await deliver(runtime, row);
    }),
  );
}

interface Row extends Record<string, unknown> {
  id: string;
  alert_id: string;
  destination_id: string;
  attempts: number;
  kind: AlertKind;
  workflow_id: string | null;
  content: AlertContent;
  alert_at: Date | string;
  workspace_id: string;
  workspace_name: string;
  config: DestinationConfig | null;
  secret: string | null;
}

const claimDue = ({ db }: AlertRuntime, limit: number): Promise<Row[]> =>
  queryRows<Row>(
    db,
    sql`with claimed as (
      update alert_deliveries set due_at = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
      where id = any (array(
        select id from alert_deliveries
        where sent_at is null and failed_at is null and mail_id is null and due_at <= now()
        order by due_at limit ${limit} for update skip locked
      ))
      returning id, alert_id, destination_id, attempts
    )
    select c.*, a.kind, a.workflow_id, a.content, a.created_at as alert_at, a.workspace_id, w.name as workspace_name,
      d.config, d.secret_encrypted as secret
    from claimed c
    join alerts a on a.id = c.alert_id
    join workspaces w on w.id = a.workspace_id
    left join alert_destinations d on d.id = c.destination_id and d.workspace_id = a.workspace_id
    order by c.id`,
  );

async function deliver(runtime: AlertRuntime, row: Row): Promise<void> {
  const { id, config, attempts } = row;
  if (config === null) {
    await record(runtime, row, {
      isDelivered: false,
      problem: 'The destination was deleted.',
      isFinal: true,
    });
    return;
  }
  const alert = { ...row, id: row.alert_id, workflowId: row.workflow_id, createdAt: new Date(row.alert_at) };
  const due: DueDelivery = {
    id,
    workspaceId: row.workspace_id,
    destinationId: row.destination_id,
    config,
    secretEncrypted: row.secret,
    attempts,
    payload: writePayload(alert, {
      workspaceId: row.workspace_id,
      workspaceName: row.workspace_name,
      baseUrl: runtime.baseUrl,
    }),
  };
  // A started workflow is recorded with its start, in one transaction.
  if (config.channel === 'workflow') await startWorkflow(runtime, due, config.workflow_id);
  else await record(runtime, row, await postWebhook(runtime, due));
}

async function record({ db, logger }: AlertRuntime, { id, attempts }: Row, attempt: Attempt): Promise<void> {
  if (!attempt.isDelivered)
    logger.warn({ ...about({ deliveryId: id }), problem: attempt.problem }, 'An alert was not delivered');
  await db.update(alertDeliveries).set(toColumns(attempt, attempts)).where(eq(alertDeliveries.id, id));
}
