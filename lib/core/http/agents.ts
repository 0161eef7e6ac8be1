// Agents that connect to addresses which were checked before. Sockets are kept by those addresses and the TLS name: a
// kept one leads nowhere else.
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connectFirst } from './connect-first.ts';

/** What a request says of its connection besides Node's own options. */
export interface CheckedAddresses {
  addresses: readonly string[];
  port: number;
  /** Aborted when the time is over. */
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
