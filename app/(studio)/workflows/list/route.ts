import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readWorkflows, workflowFilterSchema } from '#lib/screens/read-workflows.ts';

/** A page of the list of workflows, for scrolling, searching and live updates. */
export async function GET(request: NextRequest): Promise<Response> {
  const filter = workflowFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readWorkflows(ctx, filter));
}
