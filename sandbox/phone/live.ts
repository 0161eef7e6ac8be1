import type { IncomingMessage, ServerResponse } from 'node:http';
import type { World } from '../world.ts';

/** `GET /phone-events`: server-sent events; each says which customer's chats changed (empty: all). */
export function streamChanges(world: World, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  const tell = (customer: string | null) => response.write(`data: ${customer ?? ''}\n\n`);
  world.changes.on('change', tell);
  request.on('close', () => world.changes.off('change', tell));
}
