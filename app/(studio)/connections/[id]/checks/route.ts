import { checkConnection } from '#lib/messaging/connections/check-connection.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** Runs the health check of a connection with the platform now. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return answerJson('viewer', (ctx) => checkConnection(toMessagingContext(ctx), { id }));
}
