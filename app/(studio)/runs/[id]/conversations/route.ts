import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readConversations } from '#lib/screens/read-conversations.ts';

/** What was said to customers in a run, and what they answered, for its screen. */
export async function GET(
  _request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return answerJson('viewer', (ctx) => readConversations(ctx, id));
}
