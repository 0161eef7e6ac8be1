import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Pages {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * Loads Next and makes it ready. It takes two thirds of a web process's start, so the process listens before: the
 * webhook door does without Next.
 */
export async function openPages(root: string, port: number): Promise<Pages> {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: root, hostname: 'localhost', port });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}
