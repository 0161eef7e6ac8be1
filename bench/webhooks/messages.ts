// Row (i) of bench/README.md: webhooks whose runs each send one message, or call a service.
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { oneTask } from '../workflows.ts';
import { ACCOUNT, insertConnection } from './connection.ts';
import { type Cost, describeCost, measureCost } from './cost.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import type { BenchOptions } from './options.ts';
import { prepareProduct } from './patchbay.ts';
import { postAll, type Prepared } from './post-all.ts';

const CONNECTIONS = 32;
const WARM_UP_SHARE = 0.1;

/** Messages are spread over these numbers, so that the limit of one, 1,000 a second at most, is checked and not reached. */
const PHONES = [
  '106540352242922',
  '106540352242923',
  '106540352242924',
  '106540352242925',
  '106540352242926',
];
const LIMITS = { MESSAGING_MESSAGES_PER_SECOND: '1000' };

export interface MessageRow extends Cost {
  what: string;
  messages: number;
  /** From the first webhook to the end of the last run. */
  messagesPerSecond: number;
  errors: number;
}

/** Measures each kind of task once, on a separate database that counts statements. */
export async function measureMessages(
  { messages: count }: BenchOptions,
  say: (line: string) => void,
): Promise<MessageRow[]> {
  const database = await startBenchDatabase({ countsStatements: true });
  const PORT = String(await findFreePort());
  const platform = await startProcess('bench/servers/platform.ts', { PORT });
  const platformUrl = `http://127.0.0.1:${PORT}`;
  const product = await prepareProduct(database, {
    MESSAGING_GRAPH_URL: platformUrl,
    ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${PORT}`,
    ...LIMITS,
  });
  try {
    const workspace = await insertWorkflow(database.pool, oneTask('set_variables', {}));
    const { connectionId } = await insertConnection(database.pool, workspace.workspaceId);
    const web = await product.start('web');
    const worker = await product.start('worker');
    const pids = { web: web.pid, worker: worker.pid, platform: platform.pid };
    const rows: MessageRow[] = [];
    for (const [what, graph] of Object.entries(graphsOf(connectionId, platformUrl))) {
      const { token } = await insertWorkflow(database.pool, graph, workspace.workspaceId);
      const url = `${web.base}/webhook/${token}`;
      const row = { what, ...(await measure({ database, url, pids }, count)) };
      say(describe(row));
      rows.push(row);
    }
    return rows;
  } finally {
    await product.stop();
    await platform.stop();
    await database.stop();
  }
}

const graphsOf = (connectionId: string, url: string): Record<string, WorkflowGraph> => ({
  'an HTTP request': oneTask('http_request', {
    method: 'POST',
    url: `${url}/orders`,
    body: '{"order":"{{task_1_order}}"}',
  }),
  'a template': oneTask('messaging_business', {
    action: 'send_template',
    app_connection_id: connectionId,
    business_account_id: ACCOUNT,
    phone_number_id: '{{task_1_from}}',
    recipient: '{{task_1_to}}',
    template_name: 'order_confirmation',
    template_parameters: '["{{task_1_name}}", "{{task_1_order}}"]',
  }),
  'a text': oneTask('messaging_business', {
    action: 'send_text',
    app_connection_id: connectionId,
    phone_number_id: '{{task_1_from}}',
    recipient: '{{task_1_to}}',
    message_text: 'Thank you, {{task_1_name}}: order {{task_1_order}} has arrived.',
  }),
});

interface Measured {
  database: BenchDatabase;
  url: string;
  pids: Record<string, number>;
}

async function measure({ database, url, pids }: Measured, count: number): Promise<Omit<MessageRow, 'what'>> {
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

const describe = ({ what, messages, messagesPerSecond, errors, ...cost }: MessageRow): string =>
  `${`(i) a webhook, then ${what}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} runs/s   ${describeCost(cost)} ` +
  `a run (${messages} runs)${errors > 0 ? `  ERRORS ${errors}` : ''}`;

/** Each to another customer. */
const makeRequests = (count: number): Prepared[] =>
  Array.from({ length: count }, (_, place) => ({
    body: JSON.stringify({
      to: String(15_550_000_000 + place),
      from: PHONES[place % PHONES.length],
      name: 'Kim',
      order: `A-${place}`,
    }),
    headers: {},
  }));
