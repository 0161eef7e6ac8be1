import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readSendLists } from '#lib/screens/lists/read-send-lists.ts';

/** A page of the lists of a workflow, for its live updates. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  const cursor = request.nextUrl.searchParams.get('cursor') ?? undefined;
  return answerJson('viewer', (ctx) => readSendLists(ctx, { workflowId: id, cursor }));
}
