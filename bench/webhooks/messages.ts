// Row (i) of bench/README.md: webhooks whose runs each send one message, or call a service, and other products that do that.
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { oneTask } from '../workflows.ts';
import {
  type Cost,
  describeCost,
  describeTimes,
  measureCost,
  measureTimes,
  readSecondsOf,
  sumOf,
} from './cost.ts';
import type { BenchOptions } from './options.ts';
import type { Prepared } from '../http/client.ts';
import { postAll } from '../http/post-all.ts';
import { makeOrders, type Sending, templateSettings, withSending } from './sending.ts';
import type { Contestant } from './system.ts';

export const CONNECTIONS = 32;
export const WARM_UP_SHARE = 0.1;
const REQUEST = 'an HTTP request';
const POLL_MS = 10;
const LONGEST_MS = 60_000;

export interface MessageRow extends Cost {
  what: string;
  messages: number;
  /** From the first webhook to the end of the last run. */
  messagesPerSecond: number;
  errors: number;
}

/** Another product with the HTTP request. */
export interface PeerRow extends Omit<MessageRow, 'what' | 'statements'> {
  system: string;
  /** Patchbay's rate to its rate, and Patchbay's processor time for a run to its own, both without the called service's. */
  ratios: { rate: number; processorTime: number };
}

/** Measures each kind of task once, and the HTTP request in each of the other products. */
export const measureMessages = (
  peers: readonly Contestant[],
  { messages: count }: BenchOptions,
  say: (line: string) => void,
): Promise<{ rows: MessageRow[]; peers: PeerRow[] }> =>
  withSending(undefined, async (sending) => {
    const rows: MessageRow[] = [];
    const peerRows: PeerRow[] = [];
    for (const [what, graph] of Object.entries(graphsOf(sending))) {
      const { url } = await sending.insert(graph);
      const row = { what, ...(await measure(sending, url, count)) };
      say(describe(row));
      rows.push(row);
      if (what !== REQUEST) continue;
      for (const peer of peers) {
        const other = compare(row, await measurePeer(peer, graph, sending, count));
        say(describePeer(other));
        peerRows.push(other);
      }
    }
    return { rows, peers: peerRows };
  });

const graphsOf = ({ connectionId, platformUrl }: Sending): Record<string, WorkflowGraph> => ({
  [REQUEST]: oneTask('http_request', {
    method: 'POST',
    url: `${platformUrl}/orders`,
    body: '{"order":"{{task_1_order}}"}',
  }),
  'a template': oneTask('messaging_business', templateSettings(connectionId, 'task_1')),
  'a text': oneTask('messaging_business', {
    action: 'send_text',
    app_connection_id: connectionId,
    phone_number_id: '{{task_1_from}}',
    recipient: '{{task_1_to}}',
    message_text: 'Thank you, {{task_1_name}}: order {{task_1_order}} has arrived.',
  }),
});

async function measure(
  { database, pids }: Sending,
  url: string,
  count: number,
): Promise<Omit<MessageRow, 'what'>> {
  await postAll(url, makeRequests(Math.ceil(count * WARM_UP_SHARE)), CONNECTIONS);
  await database.untilDrained();
  const requests = makeRequests(count);
  const { items, seconds, errors, ...cost } = await measureCost(database, pids, async () => {
    const startedAt = Date.now();
    const posted = await postAll(url, requests, CONNECTIONS);
    const { endedAt, executed } = await database.untilDrained();
    return {
      items: posted.requests,
      seconds: (endedAt - startedAt) / 1000,
      errors: posted.errors + posted.requests - executed,
    };
  });
  return { messages: items, messagesPerSecond: items / seconds, errors, ...cost };
}

/** The same requests; its last run has ended when the called service got as many calls. */
async function measurePeer(
  peer: Contestant,
  graph: WorkflowGraph,
  sending: Sending,
  count: number,
): Promise<Omit<PeerRow, 'ratios'>> {
  const system = await peer.start({ request: { graph } });
  try {
    const [url = ''] = system.urlsOf('request');
    await postAll(url, makeRequests(Math.ceil(count * WARM_UP_SHARE)), CONNECTIONS);
    await system.settle();
    const requests = makeRequests(count);
    const { calls: before } = await sending.readLog();
    const own = Object.fromEntries(Object.entries(system.parts).map(([name, { pid }]) => [name, pid]));
    const readSeconds = () => readSecondsOf({ ...own, platform: sending.pids.platform });
    const { items, seconds, errors, microseconds } = await measureTimes(readSeconds, async () => {
      const startedAt = Date.now();
      const posted = await postAll(url, requests, CONNECTIONS);
      const readCalls = async () => (await sending.readLog()).calls - before;
      let calls = await readCalls();
      while (calls < posted.requests && Date.now() < startedAt + LONGEST_MS) {
        await wait(POLL_MS);
        calls = await readCalls();
      }
      return {
        items: posted.requests,
        seconds: (Date.now() - startedAt) / 1000,
        errors: posted.errors + Math.abs(posted.requests - calls),
      };
    });
    return { system: system.name, messages: items, messagesPerSecond: items / seconds, errors, microseconds };
  } finally {
    await system.stop();
  }
}

function compare(own: MessageRow, peer: Omit<PeerRow, 'ratios'>): PeerRow {
  const timeOf = ({ microseconds }: Pick<MessageRow, 'microseconds'>): number =>
    sumOf(microseconds) - (microseconds.platform ?? 0);
  return {
    ...peer,
    ratios: {
      rate: own.messagesPerSecond / peer.messagesPerSecond,
      processorTime: timeOf(own) / timeOf(peer),
    },
  };
}

const describe = ({ what, messages, messagesPerSecond, errors, ...cost }: MessageRow): string =>
  `${`(i) a webhook, then ${what}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} runs/s   ${describeCost(cost)} ` +
  `a run (${messages} runs)${errors > 0 ? `  ERRORS ${errors}` : ''}`;

const describePeer = ({
  system,
  messages,
  messagesPerSecond,
  errors,
  microseconds,
  ratios,
}: PeerRow): string =>
  `${`(i) a webhook, then ${REQUEST}, ${system}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} runs/s   ` +
  `${describeTimes(microseconds)} a run (${messages} runs)   Patchbay has ${ratios.rate.toFixed(2)} of its rate and needs ` +
  `${ratios.processorTime.toFixed(2)} of its processor time${errors > 0 ? `  ERRORS ${errors}` : ''}`;

/** Each to another customer. @param first the number of the first */
export const makeRequests = (count: number, first = 0): Prepared[] =>
  makeOrders(count, first).map((order) => ({ body: JSON.stringify(order), headers: {} }));
