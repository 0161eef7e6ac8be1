import { createServer, type AddressInfo } from 'node:net';
import { LaunchError } from './launch-error.ts';

/**
 * The port itself if nobody listens on it, else a free one where 0 was asked for.
 * @param setting the setting that the message tells to change.
 * @throws LaunchError when the port is taken or may not be used.
 */
export async function claimPort(port: number, setting: string): Promise<number> {
  try {
    return await listenOnce(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? 'is taken by another program'
        : code === 'EACCES'
          ? 'may not be used by this account'
          : `cannot be used (${code})`;
    throw new LaunchError(
      `Port ${port} ${reason}. Choose another with ${setting}, for example: ${setting}=${port < 1024 ? port + 8000 : port + 1} npm start`,
      { cause: error },
    );
  }
}

/** As claimPort, but any free port will do when the wanted one is taken. */
export async function claimPortOrAnother(port: number): Promise<number> {
  return listenOnce(port).catch(() => listenOnce(0));
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, done));
  const address = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return address.port;
}
