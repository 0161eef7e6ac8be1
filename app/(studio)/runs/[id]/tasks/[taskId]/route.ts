import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readTaskRun } from '#lib/screens/read-task-run.ts';

/** One task run with its input and output; `?iteration=0.2` for one inside loops. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string; taskId: string }> },
): Promise<Response> {
  const { id, taskId } = await params;
  const iteration = request.nextUrl.searchParams.get('iteration') ?? '';
  return answerJson('viewer', (ctx) => readTaskRun(ctx, { id, taskId: Number(taskId), iteration }));
}
