import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import { listenToDraft } from './listen-as-drafted.ts';
import type { Workflow } from './schema.ts';

/**
 * Unpublishes a workflow; its versions stay, and runs in progress continue. It subscribes to the messages of its draft.
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
