import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import { handleControl } from './control/handle-control.ts';
import { handleGraph, isGraphPath } from './graph/handle-graph.ts';
import { findDownload } from './graph/media.ts';
import { BadRequest, sendHtml, sendJson } from './http/exchange.ts';
import { escapeHtml, page } from './http/html.ts';
import { sendPublicFile } from './http/public-files.ts';
import { handleAccessToken, isAccessTokenPath } from './identity/access-token.ts';
import { findBearer } from './identity/bearer.ts';
import { handleIdentity } from './identity/handle-identity.ts';
import { handleLogin } from './identity/login-pages.ts';
import { createProvider, isProviderPath } from './identity/provider.ts';
import { resolveOptions, type SandboxOptions } from './options.ts';
import { handlePhone, streamChanges } from './phone/handle-phone.ts';
import { openStateFile, type StateFile } from './state/state-file.ts';
import { isStrict } from './settings.ts';
import { createWorld, type World } from './world.ts';

export type RunningSandbox = { url: string; close(): Promise<void> };

/**
 * Starts a sandbox in this process; resolves once it listens. Several can run side by side: nothing is shared. `close` ends
 * open connections, too. Rejects if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const world = createWorld(resolveOptions(options, port));
  const state = options.stateFolder === undefined ? undefined : openStateFile(world, options.stateFolder);
  const provider = createProvider(world);
  if (state) world.changes.on('change', () => state.touch());
  server.on('request', (request, response) => {
    if (state && mayChange(request)) response.once('close', () => state.touch());
    route(world, provider, request, response).catch((error: unknown) => sendFailure(response, error));
  });
  return { url: world.options.publicUrl, close: () => stop(server, world, state) };
}

async function stop(server: Server, world: World, state: StateFile | undefined): Promise<void> {
  world.timers.clear();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await state?.close();
  world.subscriptions.clear();
}

/** A login stores data at every step; other requests only if they are not GET. */
function mayChange({ method, url = '/' }: IncomingMessage): boolean {
  return method !== 'GET' || isProviderPath(url) || url.startsWith('/login/');
}

async function route(
  world: World,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const path = url.pathname;
  if (isAccessTokenPath(path)) return handleAccessToken(world, provider, request, response, url);
  if (isGraphPath(path)) return handleGraph(world, request, response, url);
  if (isProviderPath(path)) return handleIdentity(world, provider, request, response, path);
  if (path.startsWith('/__sandbox/')) return handleControl(world, provider, request, response, url);
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path.startsWith('/login/'))
    return handleLogin(provider, request, response, world.options.signInClient.id);
  if (path === '/phone-events') return streamChanges(world, request, response);
  if (path.startsWith('/media/')) return sendDownload(world, request, response, url);
  if (path.startsWith('/public/') && (await sendPublicFile(response, path.slice('/public/'.length)))) return;
  if (await handlePhone(world, request, response, url)) return;
  throw new BadRequest(`There is nothing at ${path}.`, 404);
}

function sendDownload(world: World, request: IncomingMessage, response: ServerResponse, url: URL): void {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const bearer = findBearer(world, token);
  if (!bearer || bearer.expired)
    return sendJson(response, 401, { error: 'A media URL needs the access token as bearer.' });
  if (isStrict(world) && !request.headers['user-agent'])
    return sendJson(response, 400, { error: 'A download needs a User-Agent.' });
  const media = findDownload(world, url.pathname.slice('/media/'.length), url.searchParams);
  if (!media) return sendJson(response, 404, { error: 'The media URL has expired; request a new one.' });
  response.writeHead(200, { 'content-type': media.mimeType, 'content-length': media.sizeBytes });
  response.end(media.bytes);
}

function sendFailure(response: ServerResponse, error: unknown): void {
  const known = error instanceof BadRequest;
  if (!known) console.error(error);
  if (response.headersSent) return void response.destroy();
  const words = known ? error.message : 'Internal error in the sandbox; see its output.';
  const body = `<main class="card"><h1>${known && error.status === 404 ? 'Not found' : 'Something went wrong'}</h1><p>${escapeHtml(words)}</p><p><a href="/">Back to the phones</a></p></main>`;
  sendHtml(response, known ? error.status : 500, page({ title: 'Sandbox', styles: ['login.css'], body }));
}
