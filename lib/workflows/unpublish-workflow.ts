import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import { listenToDraft } from './listen-as-drafted.ts';
import type { Workflow } from './schema.ts';

/**
 * Takes a workflow out of service; its versions stay, and runs that are under way continue. It listens to what its draft says.
 * @throws AppError `not_found`
 */
export async function unpublishWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(
    ctx,
    { id, action: 'workflow.unpublished' },
    () => ({ publishedVersion: null, answersAfterRun: false }),
    (tx, { draft }) => listenToDraft(ctx, tx, { id, draft }),
  );
}
