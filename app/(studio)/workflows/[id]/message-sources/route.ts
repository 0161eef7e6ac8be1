import { listMessageSources } from '#lib/connections/list-message-sources.ts';
import { answerJson } from '../../../runs/answer-json.ts';

/** The connections whose messages can run the workflow; the trigger's panel asks when it is opened. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => listMessageSources(ctx, { workflowId: (await params).id }));
}
