import { env } from '#lib/core/env.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { listHealthChecks } from '#lib/screens/list-health-checks.ts';

/** Runs the checks of the health page now. */
export const GET = (): Promise<Response> => answerJson('viewer', (ctx) => listHealthChecks(ctx, env()));
