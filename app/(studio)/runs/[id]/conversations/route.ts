import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readConversations } from '#lib/screens/read-conversations.ts';

/** The conversations with customers in a run, for its screen. */
export async function GET(
  _request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return answerJson('viewer', (ctx) => readConversations(ctx, id));
}
