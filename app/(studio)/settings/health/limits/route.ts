import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { listLimits } from '#lib/messaging/limits/list-limits.ts';

/** The messaging limits of the health page, and how much of them is used now. */
export const GET = (): Promise<Response> => answerJson('viewer', listLimits);
