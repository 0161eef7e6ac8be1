import { processRuntime } from '#lib/core/process-runtime.ts';
import { loadReplyTimes } from '#lib/workflows/reply-times.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** Waiting times of after-workflow callers; loaded when the trigger's panel opens. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('viewer', async (ctx) => {
    const { settings } = await processRuntime();
    return loadReplyTimes(ctx, { id: (await params).id, limitMs: settings.ANSWER_TIMEOUT_SECONDS * 1000 });
  });
}
