import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readSendList } from '#lib/screens/lists/read-send-lists.ts';

/** A list with its plan or its progress, for the live updates of its page. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string; listId: string }> },
): Promise<Response> {
  const { id, listId } = await params;
  return answerJson('viewer', (ctx) => readSendList(ctx, { workflowId: id, id: listId }));
}
