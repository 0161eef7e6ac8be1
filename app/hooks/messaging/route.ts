// Receives the platform's notifications of all accounts of the app; implemented in lib/messaging.
import { handleAppHookRequest } from '#lib/messaging/notifications/hook-route.ts';
import { messagingRuntime } from '#lib/messaging/runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (request: Request): Promise<Response> =>
  handleAppHookRequest(await messagingRuntime(), request);

export { handle as GET, handle as POST };
