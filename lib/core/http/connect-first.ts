// Happy Eyeballs (RFC 8305). Node's own `autoSelectFamily` is not used: it abandons an address when its head start is over,
// so that a host that is merely slow is never reached.
import { connect, isIPv6, type Socket } from 'node:net';

/** How long an address is tried alone (RFC 8305, 8: Connection Attempt Delay). */
const HEAD_START_MS = 250;

/** Addresses in the given order, alternating between the two families (RFC 8305, 4). */
export function interleaveFamilies(addresses: readonly string[]): string[] {
  const startsWithIPv6 = isIPv6(addresses[0] ?? '');
  const preferred = addresses.filter((address) => isIPv6(address) === startsWithIPv6);
  const others = addresses.filter((address) => isIPv6(address) !== startsWithIPv6);
  return Array.from({ length: Math.max(preferred.length, others.length) }).flatMap((_, place) => [
    ...preferred.slice(place, place + 1),
    ...others.slice(place, place + 1),
  ]);
}

/**
 * Connects to the first address that accepts. The next one is tried when all before it have failed, or the last of them has
 * had its head start; the first established connection wins and the others are closed. Rejects with the first failure when no
 * address can be reached, and when the signal is aborted.
 */
export function connectFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const attempts = new Set<Socket>();
    let headStart: NodeJS.Timeout | undefined;
    let failure: Error | undefined;
    const settle = (): void => {
      clearTimeout(headStart);
      signal.removeEventListener('abort', stop);
      for (const attempt of attempts) attempt.destroy();
    };
    const stop = (): void => {
      settle();
      reject(failure ?? new Error('The connection could not be established in time.'));
    };
    const tryNext = (): void => {
      clearTimeout(headStart);
      const host = waiting.shift();
      if (host === undefined) {
        if (attempts.size === 0) stop();
        return;
      }
      const socket = connect({ host, port, noDelay: true });
      attempts.add(socket);
      headStart = setTimeout(tryNext, HEAD_START_MS);
      const fail = (error: Error): void => {
        failure ??= error;
        attempts.delete(socket);
        if (attempts.size === 0) tryNext();
      };
      socket.once('error', fail).once('connect', () => {
        socket.off('error', fail);
        attempts.delete(socket);
        settle();
        resolve(socket);
      });
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else tryNext();
  });
}
