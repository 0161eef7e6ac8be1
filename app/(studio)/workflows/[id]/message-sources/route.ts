import { listMessageSources } from '#lib/workflows/list-message-sources.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** The connections whose messages can run the workflow; the trigger's panel asks when it is opened. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => listMessageSources(ctx, { workflowId: (await params).id }));
}
