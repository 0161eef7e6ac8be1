import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { listFailures } from '#lib/workflows/failures/list-failures.ts';

/** How many workflows failed since the user last looked; the navigation asks. */
export async function GET(): Promise<Response> {
  return answerJson('viewer', async (ctx) => ({
    workflows: (await listFailures(ctx, { userId: ctx.user.id })).size,
  }));
}
