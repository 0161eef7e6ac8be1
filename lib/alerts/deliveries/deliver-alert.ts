// Sends alerts to webhooks and workflows. Each is a job, in a separate lane: a receiver that does not respond takes one slot,
// and delays no others.
import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { AlertContent, DestinationConfig } from '#lib/alerts/alert-types.ts';
import { signWebhook, webhookSecretBinding } from '#lib/alerts/destinations/webhook-secret.ts';
import type { AlertKind } from '#lib/alerts/kinds.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertDeliveries } from '#lib/alerts/schema.ts';
import { inTransaction, type Queryable, queryRows } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { GuardedRequestError } from '#lib/core/http/guarded-request-error.ts';
import { guardedRequest, type GuardedRequestOptions } from '#lib/core/http/guarded-request.ts';
import { listPrivateHosts } from '#lib/core/http/public-address.ts';
import { newId } from '#lib/core/ids.ts';
import { about } from '#lib/core/log-fields.ts';
import type { JobHandler, JobResult } from '#lib/core/queue/job-consumer.ts';
import { queueJob } from '#lib/core/queue/job-table.ts';
import type { Admission } from '#lib/engine/store/start-runs.ts';
import { findMarksOfBody } from '#lib/webhooks/find-line.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { type Attempt, DELIVER_ALERT, type DueDelivery, toColumns, toResult } from './delivery-types.ts';
import { writePayload } from './write-content.ts';

const payloadSchema = z.object({ delivery_id: z.uuid() });

/** Posts an alert to its webhook at least once, or starts its workflow once. */
export const createDeliveryHandler = (runtime: AlertRuntime): JobHandler => ({
  ...DELIVER_ALERT,
  handle: ({ payload }) => deliver(runtime, payloadSchema.parse(payload).delivery_id),
});

/** Queues what 0.2.0 queued without a job: processes of that version run beside this one during an upgrade. */
export async function adoptDeliveries({ db }: Pick<AlertRuntime, 'db'>): Promise<void> {
  await db.execute(sql`
    with adopted as (
      update alert_deliveries set due_at = null
      where sent_at is null and failed_at is null and mail_id is null and due_at <= now() returning id
    )
    select ${sql.raw(queueJob(DELIVER_ALERT, `json_build_object('delivery_id', id)`))} from adopted`);
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

const findWaiting = ({ db }: AlertRuntime, id: string): Promise<Row[]> =>
  queryRows<Row>(
    db,
    sql`select e.id, e.alert_id, e.destination_id, e.attempts, a.kind, a.workflow_id, a.content,
      a.created_at as alert_at, a.workspace_id, w.name as workspace_name, d.config, d.secret_encrypted as secret
    from alert_deliveries e
    join alerts a on a.id = e.alert_id
    join workspaces w on w.id = a.workspace_id
    left join alert_destinations d on d.id = e.destination_id and d.workspace_id = a.workspace_id
    where e.id = ${id} and e.sent_at is null and e.failed_at is null`,
  );

async function deliver(runtime: AlertRuntime, id: string): Promise<JobResult> {
  const [row] = await findWaiting(runtime, id);
  if (!row) return;
  const { config } = row;
  if (config === null) return record(runtime, row, failed('The destination was deleted.'));
  const alert = { ...row, id: row.alert_id, workflowId: row.workflow_id, createdAt: new Date(row.alert_at) };
  const due: DueDelivery = {
    id,
    workspaceId: row.workspace_id,
    destinationId: row.destination_id,
    config,
    secretEncrypted: row.secret,
    payload: writePayload(alert, {
      workspaceId: row.workspace_id,
      workspaceName: row.workspace_name,
      baseUrl: runtime.baseUrl,
    }),
  };
  // A started workflow is recorded with its start, in one transaction.
  if (config.channel === 'workflow') return startWorkflow(runtime, due, config.workflow_id);
  return record(runtime, row, await postWebhook(runtime, due));
}

async function record(
  { db, logger }: AlertRuntime,
  { id, attempts }: Row,
  attempt: Attempt,
): Promise<JobResult> {
  if (!attempt.isDelivered)
    logger.warn({ ...about({ deliveryId: id }), problem: attempt.problem }, 'An alert was not delivered');
  const columns = toColumns(attempt, attempts + 1);
  // Repeated, because an alert whose record fails would be sent again.
  await retryWhileUnavailable(() =>
    db.update(alertDeliveries).set(columns).where(eq(alertDeliveries.id, id)),
  );
  return toResult(columns);
}

/** Standard Webhooks recommends 15 to 30 seconds. */
const TIMEOUT_MS = 20_000;
/** Only the status of a response is used. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The receiver wants no further messages (Standard Webhooks). */
const GONE = 410;
const LASTING: readonly string[] = ['invalid_url', 'refused_address'];

/** Posts an alert once. The receiver recognizes repeated attempts by `webhook-id`. */
async function postWebhook(
  { secrets, settings }: AlertRuntime,
  { id, workspaceId, destinationId, config, secretEncrypted, payload }: DueDelivery,
): Promise<Attempt> {
  if (config.channel !== 'webhook' || secretEncrypted === null)
    return {
      isDelivered: false,
      problem: 'The webhook has no secret: delete it and add it again.',
      isFinal: true,
    };
  const secret = secrets.open(secretEncrypted, webhookSecretBinding(workspaceId, destinationId));
  try {
    const status = await statusOf({
      method: 'POST',
      url: config.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Patchbay-Alerts',
        ...signWebhook(secret, { id, sentAt: new Date(), body: payload }),
      },
      body: payload,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      allowedPrivateHosts: listPrivateHosts(settings.ALLOWED_PRIVATE_HOSTS),
    });
    if (status >= 200 && status < 300) return { isDelivered: true };
    return {
      isDelivered: false,
      problem: `${new URL(config.url).host} answered ${status}.${status >= 300 && status < 400 ? ' Enter the URL that it redirects to.' : ''}`,
      isFinal: status === GONE,
    };
  } catch (error) {
    if (!(error instanceof GuardedRequestError)) throw error;
    return { isDelivered: false, problem: error.message, isFinal: LASTING.includes(error.kind) };
  }
}

/**
 * The status of a response, also of one that is too long, compressed or cut off.
 * @throws GuardedRequestError without a response
 */
async function statusOf(options: GuardedRequestOptions): Promise<number> {
  try {
    return (await guardedRequest(options)).status;
  } catch (error) {
    if (error instanceof GuardedRequestError && error.status !== undefined) return error.status;
    throw error;
  }
}

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'patchbay-alerts' };

const TARGET = `
select k.token_hash, w.published_version from workflows w
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where w.id = $1 and w.workspace_id = $2 and w.deleted_at is null`;

/** Locked until the workflow is started: another worker that has the same job then finds it delivered. */
const LOCK = `select attempts from alert_deliveries where id = $1 and sent_at is null and failed_at is null for update`;
const RECORD = `
update alert_deliveries set attempts = $2, sent_at = $3, failed_at = $4, problem = $5, event_id = $6 where id = $1`;

/** Starts a workflow with an alert as its payload, through the intake of webhooks, and records it in the same transaction: once, or not at all. */
const startWorkflow = ({ db }: AlertRuntime, due: DueDelivery, workflowId: string): Promise<JobResult> =>
  inTransaction(db.$client, async (client) => {
    const { rows } = await client.query<{ attempts: number }>(LOCK, [due.id]);
    const [waiting] = rows;
    if (!waiting) return;
    const columns = toColumns(await start(client, due, workflowId), waiting.attempts + 1);
    const { attempts, sentAt = null, failedAt = null, problem = null, eventId = null } = columns;
    await client.query(RECORD, [due.id, attempts, sentAt, failedAt, problem, eventId]);
    return toResult(columns);
  });

async function start(
  client: Queryable,
  { workspaceId, payload }: DueDelivery,
  workflowId: string,
): Promise<Attempt> {
  const { rows } = await client.query<{ token_hash: Buffer; published_version: number | null }>(TARGET, [
    workflowId,
    workspaceId,
  ]);
  const target = rows[0];
  if (!target) return failed('The workflow was deleted.');
  const eventId = newId();
  const version = target.published_version;
  const [body, receivedAt] = [Buffer.from(payload), new Date()];
  const received = { headers: HEADERS, receivedAt };
  const marks =
    version === null ? {} : await findMarksOfBody(client, { workflowId, version }, () => body, received);
  const admission = await createIntake(client)({
    eventId,
    runId: newId(),
    tokenHash: target.token_hash,
    kind: 'production',
    receivedAt,
    headers: HEADERS,
    body,
    refusal: null,
    ...marks,
    response: version === null ? undefined : { version, problem: null },
  });
  return toAttempt(admission, eventId);
}

function toAttempt(admission: Admission | undefined, eventId: string): Attempt {
  switch (admission?.outcome) {
    case 'triggered':
    case 'collected':
      return { isDelivered: true, eventId };
    case 'not_active':
      return failed('The workflow is not published, or paused. Its event is saved and can be replayed.');
    case 'outdated':
      return { isDelivered: false, problem: 'The workflow was being published.', isFinal: false };
    default:
      return failed('The workflow did not accept the alert.');
  }
}

const failed = (problem: string): Attempt => ({ isDelivered: false, problem, isFinal: true });
