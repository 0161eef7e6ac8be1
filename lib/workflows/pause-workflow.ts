import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/**
 * Starts no more runs: events are stored and can be replayed later. Runs in progress continue.
 * @throws AppError `not_found`
 */
export async function pauseWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.paused' }, () => ({ active: false }));
}
