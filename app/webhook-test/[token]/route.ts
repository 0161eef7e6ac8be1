import { env } from '#lib/core/env.ts';
import { receiveRequest } from '#lib/webhooks/route-door.ts';
import { webhookRuntime } from '#lib/webhooks/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> => {
  // Loaded when needed: it reads the settings, which a build does not have.
  const { logger } = await import('#lib/core/log.ts');
  return receiveRequest(webhookRuntime(env(), logger).receive, 'test', (await params).token, request);
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
