import { listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** The numbers of the connection's business account, read from the platform now. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return answerJson('viewer', (ctx) => listPhoneNumbers(toMessagingContext(ctx), { id }));
}
