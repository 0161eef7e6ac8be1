import * as z from 'zod';
import { databaseOn, inTransaction } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { toTick } from '#lib/engine/schedule-start.ts';
import { ZONE } from '#lib/engine/schedules/schedules.ts';
import { startTicks } from '#lib/engine/schedules/start-due.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { loadWorkflow } from '#lib/workflows/load-workflow.ts';

export const startedSchema = z
  .strictObject({ event_id: z.string(), run_id: z.string() })
  .meta({ id: 'StartedWorkflow' });

type Started = z.infer<typeof startedSchema>;

const SCHEDULE = `
select k.token_hash, ${ZONE} as zone, now() as now
from schedules s
join webhook_tokens k on k.workflow_id = s.workflow_id and k.expires_at is null
left join workspace_times t on t.workspace_id = s.workspace_id
where s.workflow_id = $1 and s.next_at is not null`;

interface ScheduleRow {
  token_hash: Buffer;
  zone: string;
  now: Date;
}

/**
 * Starts a workflow with a schedule at once, as at one of its times; its next time stays.
 * @throws AppError `not_found`; `conflict` where no schedule starts it
 */
export async function startNow(ctx: ActorContext, { id }: { id: string }): Promise<Started> {
  const { name } = await loadWorkflow(ctx, id);
  return inTransaction(ctx.db.$client, async (client) => {
    const { rows } = await client.query<ScheduleRow>(SCHEDULE, [id]);
    const [row] = rows;
    if (!row)
      throw new AppError(
        'conflict',
        'Only a published, active workflow with a schedule can be started. Publish it with the trigger “On a schedule”, or resume it.',
      );
    const at = new Date(Math.floor(row.now.getTime() / 1000) * 1000);
    const tick = toTick({ at, zone: row.zone, isManual: true });
    const [started] = await startTicks(client, [{ tokenHash: row.token_hash, tick, receivedAt: row.now }]);
    if (!started) throw new AppError('conflict', 'The workflow was just paused or unpublished.');
    await recordAudit(ctx, databaseOn(client), 'workflow.started', { id, name });
    return { event_id: started.eventId, run_id: started.runId };
  });
}
