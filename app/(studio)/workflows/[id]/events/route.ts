import type { ListenAnswer } from '#components/editor/editor-actions.ts';
import { listEvents } from '#lib/events/read-events.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

const SHOWN = 15;

/** The newest requests to either URL; polled by the open trigger's panel. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('editor', async (ctx): Promise<ListenAnswer> => {
    const { id: workflowId } = await params;
    const { data } = await listEvents(ctx, { workflow_id: workflowId, limit: SHOWN });
    if (data.length === 0) await getWorkflow(ctx, { id: workflowId });
    return {
      events: data.map(({ id, kind, outcome, reason, received_at, run_id }) => ({
        id,
        kind,
        outcome,
        reason,
        receivedAt: received_at,
        runId: run_id,
      })),
    };
  });
}
