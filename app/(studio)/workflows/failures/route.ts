import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { listFailures } from '#lib/workflows/failures/list-failures.ts';

/** Number of workflows that failed since the user last viewed them, for the navigation. */
export async function GET(): Promise<Response> {
  return answerJson('viewer', async (ctx) => ({
    workflows: (await listFailures(ctx, { userId: ctx.user.id })).size,
  }));
}
