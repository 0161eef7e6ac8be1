import { countHeldRuns } from '#lib/workflows/lifecycle.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** The draft's revision: open editors poll it to detect each other's changes. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => {
    const { id } = await params;
    const workflow = await getWorkflow(ctx, { id });
    return {
      revision: workflow.draft_revision,
      publishedVersion: workflow.published_version,
      active: workflow.active,
      holdsRuns: workflow.holds_runs,
      heldRuns: workflow.holds_runs ? await countHeldRuns(ctx, { id }) : 0,
      maxConcurrentRuns: workflow.max_concurrent_runs,
    };
  });
}
