import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { runFilterSchema, readRuns } from '#lib/screens/read-runs.ts';

/** A page of the runs list, for its live updates and for bulk actions. */
export async function GET(request: NextRequest): Promise<Response> {
  const filter = runFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readRuns(ctx, filter));
}
