import type { Queryable } from '#lib/core/db/client.ts';
import { inTransaction } from '#lib/core/db/in-transaction.ts';
import { newId } from '#lib/core/ids.ts';
import type { Admission } from '#lib/engine/store/start-runs.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import type { AlertRuntime } from '../runtime.ts';
import type { Attempt, DueDelivery } from './delivery-types.ts';
import { toColumns } from './to-columns.ts';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'patchbay-alerts' };

const TARGET = `
select k.token_hash, w.published_version from workflows w
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where w.id = $1 and w.workspace_id = $2 and w.deleted_at is null`;

/** Only while this worker holds the claim: otherwise another one has it. */
const RECORD = `
update alert_deliveries set sent_at = $2, failed_at = $3, problem = $4, event_id = $5, due_at = coalesce($6, due_at)
where id = $1 and attempts = $7 and sent_at is null and failed_at is null`;

/** Starts a workflow with an alert as its payload, through the intake of webhooks, and records it in the same transaction: once, or not at all. */
export const startWorkflow = ({ db }: AlertRuntime, due: DueDelivery, workflowId: string): Promise<void> =>
  inTransaction(db.$client, async (client) => {
    const attempt = await start(client, due, workflowId);
    const { sentAt, failedAt, problem, eventId, dueAt } = toColumns(attempt, due.attempts);
    const recorded = await client.query(RECORD, [
      due.id,
      sentAt ?? null,
      failedAt ?? null,
      problem ?? null,
      eventId ?? null,
      dueAt ?? null,
      due.attempts,
    ]);
    if (recorded.rowCount !== 1) throw new Error('The delivery of an alert is not ours any more.');
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
  const admission = await createIntake(client)({
    eventId,
    runId: newId(),
    tokenHash: target.token_hash,
    kind: 'production',
    receivedAt: new Date(),
    headers: HEADERS,
    body: Buffer.from(payload),
    refusal: null,
    response:
      target.published_version === null ? undefined : { version: target.published_version, problem: null },
  });
  return toAttempt(admission, eventId);
}

function toAttempt(admission: Admission | undefined, eventId: string): Attempt {
  switch (admission?.outcome) {
    case 'triggered':
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
