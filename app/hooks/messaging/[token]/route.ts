// Receives the platform's notifications of a connection; implemented in lib/messaging.
import { handleHookRequest } from '#lib/messaging/notifications/hook-route.ts';
import { messagingRuntime } from '#lib/messaging/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> => handleHookRequest(await messagingRuntime(), (await params).token, request);

export { handle as GET, handle as POST };
