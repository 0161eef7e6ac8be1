// A web process: webhooks are answered by the door on plain Node http, everything else by Next.
import { createServer } from 'node:http';
import next from 'next';
import { openDatabase } from '#lib/db/client.ts';
import { env } from '#lib/env.ts';
import { newId } from '#lib/ids.ts';
import { listenHosts } from '#lib/http/listen-hosts.ts';
import { logger } from '#lib/log.ts';
import { startHeartbeat } from '#lib/queue/heartbeat.ts';
import { handleWebhook } from '#lib/webhooks/node-door.ts';
import { webhookRuntime } from '#lib/webhooks/runtime.ts';
import { ensureFirstWorkspace } from '#lib/workspaces/ensure-first-workspace.ts';
import { checkReadiness } from './health.ts';
import { onStop, tellReady } from './launcher/child.ts';
import { listen } from './listen.ts';
import { serveStatic } from './static-files.ts';

/** Open keep-alive connections get this long to end by themselves when the process stops. */
const STOP_DEADLINE_MS = 3000;

const settings = env();
const root = new URL('..', import.meta.url).pathname;
const database = openDatabase(settings.DATABASE_URL, { maxConnections: 2, name: 'patchbay-web-health' });
await ensureFirstWorkspace(database);
const heartbeat = await startHeartbeat({
  pool: database.$client,
  processId: newId(),
  kind: 'web',
  jobPoolId: () => null,
  logger,
});
const webhooks = webhookRuntime(settings, logger);
const app = next({ dev: false, dir: root, hostname: 'localhost', port: settings.PORT });
await app.prepare();
const handlePage = app.getRequestHandler();
const handleStatic = serveStatic(`${root}.next/static/`, '/_next/static/');

const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 120_000 }, (req, res) => {
  if (settings.WEBHOOK_DOOR === 'node' && handleWebhook(webhooks.receive, req, res)) return;
  if (handleStatic(req, res)) return;
  if (req.url === '/healthz') {
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end('ok\n');
    return;
  }
  if (req.url === '/readyz') {
    void checkReadiness(database.$client).then(({ ready, body }) => {
      res.writeHead(ready ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      res.end(JSON.stringify(body));
    });
    return;
  }
  if (settings.TRUST_PROXY === 'off') req.headers['x-forwarded-for'] = req.socket.remoteAddress;
  void handlePage(req, res);
});

const listening = await listen(server, {
  hosts: listenHosts(settings.HOST),
  port: settings.PORT,
  reusePort: settings.REUSE_PORT === 'on',
});
tellReady();

onStop(async () => {
  const closed = listening.close();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
  await closed;
  clearTimeout(deadline);
  await webhooks.close();
  await heartbeat.stop();
  await database.$client.end();
  await app.close();
});
