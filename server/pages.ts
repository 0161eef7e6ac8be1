import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Settings } from '#lib/core/env.ts';
import type { WebhookKind } from '#lib/webhooks/types.ts';
import { matchWebhookPath } from '#lib/webhooks/webhook-path.ts';

export interface Pages {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

export interface PageFiles {
  root: string;
  /** The build's folder, directly in the root folder; in development Next has its own. */
  folder: string;
}

/** A built route as Next's documentation of adapters describes it (Invoking Entrypoints). */
interface RouteModule {
  handler(req: IncomingMessage, res: ServerResponse, ctx: { requestMeta?: object }): Promise<void>;
}

const WEBHOOK_ROUTES: Record<WebhookKind, string> = {
  production: 'webhook/[token]',
  test: 'webhook-test/[token]',
};

/**
 * Loads Next and prepares it. It takes two thirds of a web process's start, so that the process listens earlier: the webhook
 * door works without Next. Webhooks for route handlers are passed to them directly: Next's router for pages (redirects,
 * rewrites, headers, the cache) costs four times as much as the handler.
 */
export async function openPages(
  { root, folder }: PageFiles,
  { PORT: port, BASE_URL }: Pick<Settings, 'PORT' | 'BASE_URL'>,
  development: boolean,
): Promise<Pages> {
  // next-auth's only source for its own URL; without it, it would use that of the Host header, or none.
  process.env['NEXTAUTH_URL'] = BASE_URL;
  const { default: next } = await import('next');
  const app = next({ dev: development, dir: root, hostname: 'localhost', port });
  await app.prepare();
  const handlePage = app.getRequestHandler();
  if (development) return { handle: handlePage, close: () => app.close() };
  const load = createRequire(join(root, 'package.json'));
  const handleWebhook = (kind: WebhookKind, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const route = load(join(folder, 'server', 'app', WEBHOOK_ROUTES[kind], 'route.js')) as RouteModule;
    return route.handler(req, res, { requestMeta: { relativeProjectDir: '.', distDir: folder } });
  };
  return {
    handle(req, res) {
      const webhook = matchWebhookPath(req.url ?? '');
      return webhook ? handleWebhook(webhook.kind, req, res) : handlePage(req, res);
    },
    close: () => app.close(),
  };
}
