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
import { ACCESS_TOKEN } from './connection.ts';
import type { BenchOptions } from './options.ts';
import type { Prepared } from '../http/client.ts';
import { postAll } from '../http/post-all.ts';
import { untilIdle } from '../peers/wait.ts';
import { makeOrders, type PlatformCounts, type Sending, templateSettings, withSending } from './sending.ts';
import { type Contestant, startAll, stopAll, type System } from './system.ts';

export const CONNECTIONS = 32;
const POLL_MS = 10;
const LONGEST_MS = 60_000;

export interface MessageRow extends Cost {
  what: string;
  messages: number;
  /** From the first webhook to the end of the last run. */
  messagesPerSecond: number;
  errors: number;
}

/** Of other products without statements. */
type Figures = Omit<MessageRow, 'what' | 'statements'> & Partial<Pick<MessageRow, 'statements'>>;

/** Another product that makes the same call. */
export interface PeerRow extends Omit<MessageRow, 'statements'> {
  system: string;
  /** Patchbay's rate to its rate, and Patchbay's processor time for a run to its own, both without the called service's. */
  ratios: { rate: number; processorTime: number };
}

/** Each kind of task; other products make the same calls, in alternation with Patchbay. */
export const measureMessages = (
  contestants: readonly Contestant[],
  options: BenchOptions,
  say: (line: string) => void,
): Promise<{ rows: MessageRow[]; peers: PeerRow[] }> =>
  withSending(undefined, async (sending) => {
    const rows: MessageRow[] = [];
    const peers: PeerRow[] = [];
    for (const [what, graph] of Object.entries(graphsOf(sending))) {
      const own = toOwn(sending, (await sending.insert(graph)).url);
      const call = await warmUp(sending, own, options);
      const systems = await startAll(contestants, { call: { graph: toGraph(sending, call) } });
      try {
        const others = systems.map((system) => toOther(sending, system));
        for (const other of others) checkSame(what, call, await warmUp(sending, other, options));
        const [measured, ...rest] = await measureAll([own, ...others], options);
        const row = { what, ...(measured as Omit<MessageRow, 'what'>) };
        say(describe(row));
        rows.push(row);
        for (const [place, figures] of rest.entries()) {
          const system = systems[place]?.name ?? '';
          const peer = { what, system, ...figures, ratios: compare(row, figures) };
          say(describePeer(peer));
          peers.push(peer);
        }
      } finally {
        await stopAll(systems);
      }
    }
    return { rows, peers };
  });

const graphsOf = ({ connectionId, platformUrl }: Sending): Record<string, WorkflowGraph> => ({
  'an HTTP request': oneTask('http_request', {
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

/** A request to the platform for the first order. */
type Call = PlatformCounts['last'];

/** The same call for any order, as an HTTP request. */
function toGraph({ platformUrl }: Sending, { path, body }: Call): WorkflowGraph {
  const withVariables = (text: string): string =>
    Object.entries(makeOrders(1)[0] ?? {}).reduce(
      (found, [name, value]) => found.replaceAll(String(value), `{{task_1_${name}}}`),
      text,
    );
  return oneTask('http_request', {
    method: 'POST',
    url: withVariables(platformUrl + path),
    headers: [{ name: 'authorization', value: `Bearer ${ACCESS_TOKEN}` }],
    body: withVariables(body),
  });
}

/** @throws Error where another product does not make the same call */
function checkSame(what: string, own: Call, other: Call): void {
  const [ours, theirs] = [own, other].map(({ path, body }) => `${path} ${body}`);
  if (ours !== theirs) throw new Error(`The calls for ${what} differ:\n${ours}\n${theirs}`);
}

/** Something that calls the platform once for each webhook. */
interface Caller {
  url: string;
  /** Sends the requests and waits for the calls; returns the figures of one measurement. */
  measure: (requests: readonly Prepared[]) => Promise<Round>;
  settle: () => Promise<unknown>;
}

interface Round extends Omit<Figures, 'messages' | 'messagesPerSecond'> {
  items: number;
  seconds: number;
}

const toOwn = ({ database, pids }: Sending, url: string): Caller => ({
  url,
  settle: () => database.untilDrained(),
  measure: (requests) =>
    measureCost(database, pids, async () => {
      const startedAt = Date.now();
      const posted = await postAll(url, requests, CONNECTIONS);
      const { endedAt, executed } = await database.untilDrained();
      return {
        items: posted.requests,
        seconds: (endedAt - startedAt) / 1000,
        errors: posted.errors + posted.requests - executed,
      };
    }),
});

/** The last run of another product has ended when the called service got as many calls. */
function toOther(sending: Sending, system: System): Caller {
  const { database, pids } = sending;
  const [url = ''] = system.urlsOf('call');
  const own = Object.fromEntries(Object.entries(system.parts).map(([name, { pid }]) => [name, pid]));
  const readCalls = async (): Promise<number> => {
    const { calls, messages } = await sending.readCounts();
    return calls + messages;
  };
  return {
    url,
    settle: () => system.settle(),
    async measure(requests) {
      // PostgreSQL may still be at work for what it stored before.
      await Promise.all([database.pid, pids.web, pids.worker].map(untilIdle));
      const before = await readCalls();
      const readSeconds = () => readSecondsOf({ ...own, platform: pids.platform });
      return measureTimes(readSeconds, async () => {
        const startedAt = Date.now();
        const posted = await postAll(url, requests, CONNECTIONS);
        let calls = (await readCalls()) - before;
        while (calls < posted.requests && Date.now() < startedAt + LONGEST_MS) {
          await wait(POLL_MS);
          calls = (await readCalls()) - before;
        }
        return {
          items: posted.requests,
          seconds: (Date.now() - startedAt) / 1000,
          errors: posted.errors + Math.abs(posted.requests - calls),
        };
      });
    },
  };
}

/**
 * As many as in a round: in its first 20,000 runs each product needed a quarter more processor time for a run.
 * @returns the call for the first order
 */
async function warmUp(
  sending: Sending,
  { url, settle }: Caller,
  { messages: count }: BenchOptions,
): Promise<Call> {
  await postAll(url, makeRequests(count), CONNECTIONS);
  await settle();
  await postAll(url, makeRequests(1), 1);
  await settle();
  return (await sending.readCounts()).last;
}

/** In alternation, where there are several. @returns the figures of each caller over all rounds */
async function measureAll(
  callers: readonly Caller[],
  { messages: count, rounds }: BenchOptions,
): Promise<Figures[]> {
  const measured = callers.map((): Round[] => []);
  for (let round = 0; round < (callers.length > 1 ? rounds : 1); round += 1)
    for (const [place, caller] of callers.entries())
      measured[place]?.push(await caller.measure(makeRequests(count, round * count)));
  return measured.map(overAll);
}

function overAll(rounds: readonly Round[]): Figures {
  const add = (valueOf: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + valueOf(round), 0);
  const messages = add(({ items }) => items);
  const meanOf = (valueOf: (round: Round) => number): number =>
    add((round) => valueOf(round) * round.items) / messages;
  const [first] = rounds;
  return {
    messages,
    messagesPerSecond: messages / add(({ seconds }) => seconds),
    errors: add(({ errors }) => errors),
    microseconds: Object.fromEntries(
      Object.keys(first?.microseconds ?? {}).map((part) => [
        part,
        meanOf(({ microseconds }) => microseconds[part] ?? 0),
      ]),
    ),
    ...(first?.statements !== undefined && { statements: meanOf(({ statements = 0 }) => statements) }),
  };
}

function compare(own: Figures, peer: Figures): PeerRow['ratios'] {
  const timeOf = ({ microseconds }: Figures): number => sumOf(microseconds) - (microseconds.platform ?? 0);
  return {
    rate: own.messagesPerSecond / peer.messagesPerSecond,
    processorTime: timeOf(own) / timeOf(peer),
  };
}

const describe = ({ what, messages, messagesPerSecond, errors, ...cost }: MessageRow): string =>
  `${`(i) a webhook, then ${what}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} runs/s   ${describeCost(cost)} ` +
  `a run (${messages} runs)${errors > 0 ? `  ERRORS ${errors}` : ''}`;

const describePeer = ({
  what,
  system,
  messages,
  messagesPerSecond,
  errors,
  microseconds,
  ratios,
}: PeerRow): string =>
  `${`(i) a webhook, then ${what}, ${system}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} runs/s   ` +
  `${describeTimes(microseconds)} a run (${messages} runs)   Patchbay has ${ratios.rate.toFixed(2)} of its rate and needs ` +
  `${ratios.processorTime.toFixed(2)} of its processor time${errors > 0 ? `  ERRORS ${errors}` : ''}`;

/** Each to another customer. @param first the number of the first */
export const makeRequests = (count: number, first = 0): Prepared[] =>
  makeOrders(count, first).map((order) => ({ body: JSON.stringify(order), headers: {} }));
