import { createServer } from 'node:net';
import type { ListenAddress } from '#lib/core/http/listen-hosts.ts';
import { listen } from '../listen.ts';
import { LaunchError } from './launch-error.ts';

/**
 * The port itself if it is free, else a free one where 0 was requested.
 * @param setting the setting to change, for the message
 * @throws LaunchError when the port is taken or not permitted
 */
export async function claimPort(address: ListenAddress, setting: string): Promise<number> {
  try {
    return await listenOnce(address);
  } catch (error) {
    const { port } = address;
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? 'is used by another program'
        : code === 'EACCES'
          ? 'cannot be used by this account'
          : `cannot be used (${code})`;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new LaunchError(
        `This machine has no network interface "${address.hosts[0]}". Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
        { cause: error },
      );
    throw new LaunchError(
      `Port ${port} ${reason}. Choose another with ${setting}, for example: ${setting}=${port < 1024 ? port + 8000 : port + 1} npm start`,
      { cause: error },
    );
  }
}

/** Like claimPort, but uses any free port when the requested one is taken. */
export async function claimPortOrAnother(address: ListenAddress): Promise<number> {
  return listenOnce(address).catch(() => listenOnce({ ...address, port: 0 }));
}

async function listenOnce(address: ListenAddress): Promise<number> {
  const listening = await listen(createServer(), address);
  await listening.close();
  return listening.port;
}
