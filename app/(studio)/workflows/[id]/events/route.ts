import type { ListenAnswer } from '#components/canvas/editor-actions.ts';
import { listEvents } from '#lib/events/list-events.ts';
import { answerJson } from '../../../runs/answer-json.ts';

const SHOWN = 15;

/** The newest requests to either URL; the trigger's panel asks again and again while it is open. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('editor', async (ctx): Promise<ListenAnswer> => {
    const { data } = await listEvents(ctx, { workflow_id: (await params).id, limit: SHOWN });
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
