import { loadPayloadDrift } from '#lib/workflows/payload-drift.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** Differences between the newest events and what the workflow's tasks expect; loaded when the trigger's panel opens. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => loadPayloadDrift(ctx, { id: (await params).id }));
}
