// Files from customers, by the links that "Get media" returns; implemented in lib/messaging.
import { serveMedia } from '#lib/messaging/media/serve-media.ts';
import { messagingRuntime } from '#lib/messaging/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> => serveMedia(await messagingRuntime(), (await params).token, request.method);

export { handle as GET, handle as HEAD };
