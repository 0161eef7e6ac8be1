// A web process: webhooks are answered by the door on plain Node http, everything else by Next.
import './log-as-json.ts';
import { extname, join } from 'node:path';
import { isFirstStart, needsSetupCode, setupCodeOf } from '#lib/identity/auth/create-account.ts';
import { isDevelopment } from '#lib/core/env.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { untilReachable } from '#lib/core/db/database-unavailable.ts';
import { VERSION } from '#lib/core/version.ts';
import { newId } from '#lib/core/ids.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { callerAddress, countProxies } from '#lib/core/http/caller-address.ts';
import { listenHosts } from '#lib/core/http/listen-hosts.ts';
import { startHeartbeat } from '#lib/engine/queue/heartbeat.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { createBodyThread } from '#lib/webhooks/body-thread/client.ts';
import { openNodeDoor } from '#lib/webhooks/node-door.ts';
import { logFailedRuns } from './log-failed-runs.ts';
import { serveMetrics } from './metrics/serve.ts';
import { openHookDoor } from '#lib/messaging/notifications/hook-door.ts';
import { createNotificationReader } from '#lib/messaging/notifications/read-webhook.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { webhookRuntime } from '#lib/webhooks/runtime.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { checkReadiness, isReady } from '#lib/engine/store/readiness.ts';
import { giveMemoryBack } from './give-memory-back.ts';
import { serveHelp } from './help.ts';
import { refuseForeignPost } from './http/foreign-posts.ts';
import { createFormPartsLoader } from './form-parts-loader.ts';
import { refuse } from './http/refuse.ts';
import { hasSeveralHosts, toOriginForm } from './http/request-target.ts';
import { refuseUnreadable } from './http/unreadable-requests.ts';
import { createWebServer } from './http/web-server.ts';
import { holdPages, holdPrograms } from './launcher/builds.ts';
import { onStop, tellReady } from './launcher/child.ts';
import { INNER_PORT_VARIABLE } from './launcher/environments.ts';
import { linkOf } from './launcher/sources.mjs';
import { listen } from './listen.ts';
import { openPages, type Pages } from './pages.ts';
import { migrationsFolder, root } from './root.ts';
import { startTraces } from './start-traces.ts';
import { serveStatic } from './static-files.ts';
import { untilDatabaseFits } from './until-database-fits.ts';
import { watchWorkers } from './watch-workers.ts';

/** Maximum time for requests in progress when the process stops; its launcher waits for twice as long. */
const STOP_DEADLINE_MS = 5000;

// Before the health check is served: a supervisor may stop this process from then on. Until requests are served, nothing has to
// finish.
let finish = async (): Promise<void> => undefined;
onStop(() => finish());
const runtime = await processRuntime('web');
const { settings, logger, vital } = runtime;
// First, so that a supervisor's health check succeeds while it waits for its database.
const metrics = await serveMetrics(runtime, 'web');
logFailedRuns(logger);
await untilReachable(vital, logger);
await untilDatabaseFits(runtime, migrationsFolder);
await ensureFirstWorkspace(runtime.db);
const processId = newId();
const heartbeat = await startHeartbeat({
  pool: vital,
  processId,
  kind: 'web',
  jobPoolId: processId,
  clock: runtime.clock,
  logger,
});
const bodyThread = createBodyThread(new URL(`body-thread${extname(import.meta.filename)}`, import.meta.url));
const notifications = createNotificationReader(runtime.hot, platformSettingsOf(settings).appSecret);
const webhooks = webhookRuntime(runtime, {
  thread: bodyThread,
  instantTasks,
  notifications,
  loadFormParts: createFormPartsLoader(runtime),
});
const handleWebhook = openNodeDoor(settings, webhooks.receive);
const handleHook = openHookDoor(runtime);
const traces = await startTraces(runtime, 'web');
const workers = watchWorkers(runtime, processId);
let webhookCalls = 0;
const memory = giveMemoryBack(() => webhookCalls);
const proxies = countProxies(settings);
const pages = Promise.withResolvers<Pages>();
holdPrograms();
const folder = isDevelopment ? join(root, '.next') : holdPages(root);
const handleStatic = serveStatic(join(folder, 'static'), '/_next/static/');
const handleHelp = serveHelp({ folder: join(root, linkOf('help')), development: isDevelopment });

const web = createWebServer({ development: isDevelopment }, (req, res) => {
  if (hasSeveralHosts(req)) {
    refuse(res, 'invalid_request', 'Send one Host header.');
    return;
  }
  if (!toOriginForm(req)) {
    res
      .writeHead(400, { ...ANSWER_HEADERS, 'Content-Type': 'text/plain' })
      .end('The request target is not supported.\n');
    return;
  }
  if (handleWebhook(req, res) || handleHook(req, res)) {
    webhookCalls += 1;
    return;
  }
  if (!isDevelopment && handleStatic(req, res)) return;
  if (handleHelp(req, res)) return;
  if (req.url === '/healthz') {
    res.writeHead(200, { ...ANSWER_HEADERS, 'Content-Type': 'text/plain' }).end(`ok ${VERSION}\n`);
    return;
  }
  if (req.url === '/readyz') {
    void checkReadiness(vital).then((readiness) => {
      const { database, migrations, workers, queue } = readiness;
      res.writeHead(isReady(readiness) ? 200 : 503, {
        ...ANSWER_HEADERS,
        'Content-Type': 'application/json',
      });
      res.end(JSON.stringify({ database, migrations, workers, queue }));
    });
    return;
  }
  if (refuseUnreadable(req, res)) return;
  if (refuseForeignPost({ development: isDevelopment }, req, res)) return;
  req.headers['x-forwarded-for'] = callerAddress(req, proxies) ?? 'unknown';
  void pages.promise.then((next) => next.handle(req, res));
});

const innerPort = process.env[INNER_PORT_VARIABLE];
const listening = await listen(web.server, {
  ...(innerPort
    ? { hosts: ['127.0.0.1'], port: Number(innerPort) }
    : { hosts: listenHosts(settings.HOST), port: settings.PORT }),
  reusePort: settings.REUSE_PORT === 'on',
});

finish = async () => {
  const closed = web.stop(listening, STOP_DEADLINE_MS);
  webhooks.stopWaiting();
  await closed;
  await webhooks.close();
  await workers.close();
  memory.close();
  await heartbeat.stop();
  metrics?.close();
  await (await pages.promise).close();
  await traces?.close();
  await runtime.close();
};
tellReady('listening');

pages.resolve(await openPages({ root, folder }, settings, isDevelopment));
tellReady();
// Under a launcher, the launcher prints the code.
if (!process.connected && needsSetupCode(settings) && (await isFirstStart(runtime.db)))
  logger.warn(`No account exists yet. Setup code: ${setupCodeOf(settings.AUTH_SECRET ?? '')}`);
