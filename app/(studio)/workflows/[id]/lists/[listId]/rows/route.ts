import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readSendListRows, rowFilterSchema } from '#lib/screens/lists/read-send-lists.ts';

/** A page of the rows of a list, by their state. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string; listId: string }> },
): Promise<Response> {
  const { id, listId } = await params;
  const filter = rowFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readSendListRows(ctx, { workflowId: id, id: listId, ...filter }));
}
