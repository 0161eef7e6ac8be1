import { loadPayloadDrift } from '#lib/editor/load-payload-drift.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** How the newest events differ from what the workflow's tasks expect; the trigger's panel asks when it is opened. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => loadPayloadDrift(ctx, { id: (await params).id }));
}
