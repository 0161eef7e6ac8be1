import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readRun } from '#lib/screens/read-run.ts';

/** The current state of a run, for its screen. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  const offset = Number(request.nextUrl.searchParams.get('offset') ?? 0);
  return answerJson('viewer', (ctx) =>
    readRun(ctx, id, Number.isSafeInteger(offset) && offset > 0 ? offset : 0),
  );
}
