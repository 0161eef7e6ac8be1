import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { BadRequest, sendJson } from '../http/exchange.ts';
import type { World } from '../world.ts';
import { readControlBody } from './control-routes.ts';
import { CONTROL_ROUTES } from './routes.ts';

const PREFIX = '/__sandbox/';

/** Answers `/__sandbox/…`. */
export async function handleControl(
  world: World,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = decodeURIComponent(url.pathname.slice(PREFIX.length)).replace(/\/$/, '');
  const found = findRoute(`${request.method} ${path}`);
  if (!found) {
    const known = Object.keys(CONTROL_ROUTES).map((route) => route.replace(' ', ` ${PREFIX}`));
    return sendJson(response, 404, { error: `There is no ${request.method} ${PREFIX}${path}.`, known });
  }
  try {
    const body = await readControlBody(request);
    sendJson(
      response,
      200,
      await found.handler({ world, provider, query: url.searchParams, id: found.id, body }),
    );
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    sendJson(response, error.status, { error: error.message });
  }
}

function findRoute(call: string) {
  for (const [route, handler] of Object.entries(CONTROL_ROUTES)) {
    const [before = '', after] = route.split(':id');
    if (after === undefined && call === route) return { handler, id: '' };
    const fits =
      after !== undefined &&
      call.length > before.length + after.length &&
      call.startsWith(before) &&
      call.endsWith(after);
    if (fits) return { handler, id: call.slice(before.length, call.length - after.length) };
  }
  return null;
}
