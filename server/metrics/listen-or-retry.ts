import type { Server } from 'node:http';
import type { Logger } from 'pino';

const RETRY_MS = 30_000;

/** Fixes for the errors of `net.Server.listen`. */
const FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it. Set METRICS_PORT to a free port, or end that program',
  EACCES: 'this user may not use it. Set METRICS_PORT to a port above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address. Correct METRICS_HOST',
  ENOTFOUND: 'the host is unknown. Correct METRICS_HOST',
};

/**
 * Makes a server listen. A failure is logged once, and retried: metrics must not end the process. @returns once it listens, or
 * has logged the failure
 */
export async function listenOrRetry(
  server: Server,
  {
    port,
    host,
    logger,
    retryMs = RETRY_MS,
  }: { port: number; host: string; logger: Pick<Logger, 'error' | 'info'>; retryMs?: number },
): Promise<{ close(): void }> {
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  const tryOnce = async (): Promise<void> => {
    try {
      await listen(server, port, host);
      if (isTold) logger.info(`Metrics are served on ${host}:${port} now.`);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (!isTold)
        logger.error(
          { err: error },
          `There are no metrics: they cannot be served on port ${port} (METRICS_PORT): ${FIXES[code] ?? message}. Everything else works. It is tried again every ${retryMs / 1000} seconds.`,
        );
      isTold = true;
      timer = setTimeout(() => void tryOnce(), retryMs).unref();
    }
  };
  await tryOnce();
  return {
    close() {
      clearTimeout(timer);
      server.close();
    },
  };
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
