// Patchbay with a connection to a small platform, on a database that counts statements: for the rows that send messages.
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { oneTask } from '../workflows.ts';
import type { LoggedMessage } from './check-messages.ts';
import { insertConnection } from './connection.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import { prepareProduct } from './patchbay.ts';
import type { BenchOptions } from './options.ts';
import { ACCOUNT, APP_SECRET } from './platform-notification.ts';

/** Messages are spread over these numbers, so that the limit of one, 1,000 a second at most, is checked and not reached. */
const PHONES = Array.from({ length: 10 }, (_, place) => String(106_540_352_242_922 + place));
const LIMITS = { MESSAGING_MESSAGES_PER_SECOND: '1000' };

/** What is done before a measurement, as a share of it: of notifications, lists and the whole. */
export const WARM_UP_SHARE = 0.1;

/** What the platform did since its start. */
export interface PlatformLog {
  /** Accepted. */
  messages: LoggedMessage[];
  /** Other requests. */
  calls: number;
  /** Statuses that were acknowledged. */
  reported: number;
  /** Statuses that were not, and were reported again. */
  refused: number;
}

/** The same as numbers. */
export interface PlatformCounts extends Omit<PlatformLog, 'messages'> {
  messages: number;
  /** The last request: its path without the query, and its body. */
  last: { path: string; body: string };
}

export interface Sending {
  database: BenchDatabase;
  connectionId: string;
  platformUrl: string;
  /** The product's and the platform's, without PostgreSQL's. */
  pids: { web: number; worker: number; platform: number };
  /** @returns the URL of a new workflow's webhook, and its id */
  insert(graph: WorkflowGraph): Promise<{ url: string; workflowId: string }>;
  readLog(): Promise<PlatformLog>;
  readCounts(): Promise<PlatformCounts>;
}

/** How the platform reports statuses. */
type Reporting = Pick<BenchOptions, 'statusesPerRequest' | 'reportingConnections'>;

/** Starts everything for some work, and stops it afterwards. @param reporting undefined: the platform reports no statuses */
export async function withSending<Result>(
  reporting: Reporting | undefined,
  work: (sending: Sending) => Promise<Result>,
): Promise<Result> {
  const database = await startBenchDatabase({ countsStatements: true });
  const PORT = String(await findFreePort());
  const platformUrl = `http://127.0.0.1:${PORT}`;
  const product = await prepareProduct(database, {
    MESSAGING_GRAPH_URL: platformUrl,
    MESSAGING_APP_SECRET: APP_SECRET,
    ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${PORT}`,
    ...LIMITS,
  });
  const stops = [() => database.stop()];
  try {
    const { pool } = database;
    const { workspaceId } = await insertWorkflow(pool, oneTask('set_variables', {}));
    const { connectionId, path } = await insertConnection(pool, workspaceId);
    const platform = await startProcess('bench/servers/platform.ts', {
      PORT,
      ...(reporting && {
        STATUSES_URL: product.base + path,
        STATUSES_PER_REQUEST: String(reporting.statusesPerRequest),
        REPORTING_CONNECTIONS: String(reporting.reportingConnections),
      }),
    });
    stops.unshift(() => platform.stop());
    stops.unshift(() => product.stop());
    const web = await product.start('web');
    const worker = await product.start('worker');
    return await work({
      database,
      connectionId,
      platformUrl,
      pids: { web: web.pid, worker: worker.pid, platform: platform.pid },
      insert: async (graph) => {
        const { token, workflowId } = await insertWorkflow(pool, graph, workspaceId);
        return { url: `${web.base}/webhook/${token}`, workflowId };
      },
      readLog: () => read<PlatformLog>(`${platformUrl}/log`),
      readCounts: () => read<PlatformCounts>(`${platformUrl}/counts`),
    });
  } finally {
    for (const stop of stops) await stop();
  }
}

const read = async <Answer>(url: string): Promise<Answer> => (await (await fetch(url)).json()) as Answer;

/** Of a task that sends a template to a customer. @param from the variables with this prefix */
export const templateSettings = (connectionId: string, from: string): WorkflowTask['settings'] => ({
  action: 'send_template',
  app_connection_id: connectionId,
  business_account_id: ACCOUNT,
  phone_number_id: `{{${from}_from}}`,
  recipient: `{{${from}_to}}`,
  template_name: 'order_confirmation',
  template_parameters: `["{{${from}_name}}", "{{${from}_order}}"]`,
});

interface Order {
  to: string;
  from: string | undefined;
  name: string;
  order: string;
}

/** Content of webhooks that each send to another customer. @param first the number of the first customer */
export const makeOrders = (count: number, first = 0): Order[] =>
  Array.from({ length: count }, (_, place) => ({
    to: String(15_550_000_000 + first + place),
    from: PHONES[place % PHONES.length],
    name: 'Kim',
    order: `A-${first + place}`,
  }));
