// Agents that connect only to addresses that were checked before. Sockets are pooled by those addresses and the TLS name, so
// that a reused one cannot lead elsewhere.
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connectFirst } from './connect-first.ts';

/** Options of a request's connection besides Node's own. */
export interface CheckedAddresses {
  addresses: readonly string[];
  port: number;
  /** Aborted at the timeout. */
  timeIsOver: AbortSignal;
}

type Created = (error: Error | null, socket: Duplex) => void;

const nameOf = (name: string, options: object | undefined): string =>
  `${name}:${(options as CheckedAddresses).addresses.toSorted().join(',')}`;

class CheckedAgent extends Agent {
  override getName(options?: ClientRequestArgs): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(options: ClientRequestArgs, created: Created): undefined {
    connectTo(options as unknown as CheckedAddresses, created, (socket) => socket);
  }
}

class CheckedHttpsAgent extends HttpsAgent {
  override getName(options?: RequestOptions): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(options: RequestOptions, created: Created): undefined {
    connectTo(options as unknown as CheckedAddresses, created, (socket) =>
      super.createConnection({ ...options, socket } as RequestOptions),
    );
  }
}

function connectTo(
  { addresses, port, timeIsOver }: CheckedAddresses,
  created: Created,
  wrap: (socket: Duplex) => Duplex | null | undefined,
): void {
  connectFirst(addresses, port, timeIsOver)
    .then((socket) => wrap(socket) ?? socket)
    .then(
      (socket) => created(null, socket),
      (error: Error) => created(error, undefined as unknown as Duplex),
    );
}

const makeAgents = (options?: AgentOptions) => ({
  'http:': new CheckedAgent(options),
  'https:': new CheckedHttpsAgent(options),
});

export const KEPT_AGENTS = makeAgents({ keepAlive: true, maxFreeSockets: 32, timeout: 30_000 });
export const FRESH_AGENTS = makeAgents();
