import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { customerFilterSchema, readTimelinePage } from '#lib/screens/read-customers.ts';

/** A page of a customer's messages, for their page. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  const { cursor } = customerFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readTimelinePage(ctx, id, cursor));
}
