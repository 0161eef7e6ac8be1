import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { eventFilterSchema, readEvents } from '#lib/screens/read-events.ts';

/** A page of the events list, for its live updates and for replaying all matching. */
export async function GET(request: NextRequest): Promise<Response> {
  const filter = eventFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readEvents(ctx, filter));
}
