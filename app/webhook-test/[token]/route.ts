import { processRuntime } from '#lib/core/process-runtime.ts';
import { receiveRequest } from '#lib/webhooks/route-door.ts';
import { webhookRuntime } from '#lib/webhooks/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> => {
  const { receive } = webhookRuntime(await processRuntime());
  return receiveRequest(receive, 'test', (await params).token, request);
};

export {
  handle as GET,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as HEAD,
  handle as OPTIONS,
};
