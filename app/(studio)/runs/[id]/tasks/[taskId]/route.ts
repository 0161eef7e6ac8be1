import type { NextRequest } from 'next/server';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readTaskRun } from '#lib/screens/read-task-run.ts';

/** One task run with its input and output; `?iteration=0.2` for one inside loops. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string; taskId: string }> },
): Promise<Response> {
  const { id, taskId } = await params;
  const iteration = request.nextUrl.searchParams.get('iteration') ?? '';
  return answerJson('viewer', async (ctx) => {
    const { settings } = await processRuntime();
    const answerLimitMs = settings.ANSWER_TIMEOUT_SECONDS * 1000;
    return readTaskRun(ctx, { id, taskId: Number(taskId), iteration, answerLimitMs });
  });
}
