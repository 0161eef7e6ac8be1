// The environment of consecutive plays: a database, a sandbox and a service to call, with a connection for sending. The called
// services keep the logs, not Patchbay.
import { pino } from 'pino';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import { parseSettings, type Settings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { toMessagingRuntime } from '#lib/messaging/runtime.ts';
import { ADD_RECURRING_JOB } from '#lib/core/queue/job-table.ts';
import { RECURRING_TASKS } from '#lib/engine/queue/recurring.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { WATCH_LINES, WATCH_TASK_RUNS } from './changed-after-end.ts';
import { startService } from './service.ts';

const CLIENT = {
  id: 'crash-points',
  secret: 'the-secret-of-the-app-of-crash-points',
  redirectUris: ['http://127.0.0.1:3000/oauth/callback'],
};
/** A limit that is checked but never reached. */
const WEBHOOKS_PER_SECOND = 1_000_000;
/** Lanes are used for longer than the platform's tokens are usually valid. */
const TOKEN_SECONDS = 86_400;

/** Checks wait without a timeout. */
const CONTROL_TIMEOUT_MS = 120_000;

export const silent = pino({ level: 'silent' });

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

/** A message in the platform's log. */
export interface JournaledMessage {
  id: string;
  text: string;
  payload: unknown;
}

export type Lane = Awaited<ReturnType<typeof openLane>>;

/**
 * @param databaseUrl its own migrated database
 * @param overrides settings of the installation, by their names
 */
export async function openLane(databaseUrl: string, overrides: Record<string, string> = {}) {
  const sandbox = await startSandbox({
    port: 0,
    client: CLIENT,
    settings: {
      messages_per_second: 10_000,
      pair_burst: 10_000,
      enforce_daily_limits: false,
      template_review_ms: 0,
    },
  });
  const service = await startService();
  const settings: Settings = parseSettings({
    DATABASE_URL: databaseUrl,
    BASE_URL: 'https://patchbay.example',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOWED_PRIVATE_HOSTS: service.host,
    MESSAGING_GRAPH_URL: sandbox.url,
    MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
    MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
    MESSAGING_CLIENT_ID: CLIENT.id,
    MESSAGING_CLIENT_SECRET: CLIENT.secret,
    MESSAGING_MESSAGES_PER_SECOND: '1000',
    MESSAGING_PAIR_BURST: '1000',
    ...overrides,
  });
  const control = openHotPool(databaseUrl, {
    maxConnections: 2,
    name: 'crash-points',
    answerTimeoutMs: CONTROL_TIMEOUT_MS,
  });
  const workspaceId = newId();
  await control.query(WATCH_TASK_RUNS);
  await control.query(WATCH_LINES);
  await control.query(
    `insert into workspaces (id, name, webhook_rate_per_second) values ($1, 'Crash points', $2)`,
    [workspaceId, WEBHOOKS_PER_SECOND],
  );
  await postponeRepeatedJobs(control);

  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${sandbox.url}/__sandbox/${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${answer}`);
    return JSON.parse(answer) as Answer;
  }

  const mint = (): Promise<Tokens> => ask<Tokens>('POST', 'tokens', { expires_in: TOKEN_SECONDS });

  /** A business account has only one connection. */
  async function connect(
    { access_token, refresh_token, expires_in }: Tokens,
    accountId?: string,
  ): Promise<string> {
    const runtime = openRuntime('web', settings, silent);
    const account = accountId === undefined ? {} : { business_account_id: accountId };
    const given = { name: 'Books', ...account, access_token, refresh_token, expires_in };
    const ctx = { ...toMessagingRuntime(runtime), workspaceId, actor: 'crash-points' };
    const { id } = await createConnection(ctx, given);
    await runtime.close();
    return id;
  }

  return {
    settings,
    /** Independent of all processes, for checks. */
    control,
    workspaceId,
    connectionId: await connect(await mint(), IDS.books),
    service,
    ask,
    mint,
    connect,
    messagesTo: async (recipient: string): Promise<JournaledMessage[]> =>
      (await ask<{ data: JournaledMessage[] }>('GET', `messages?direction=out&to=${recipient}`)).data,
    /** The names of the templates that the platform created, with this prefix. */
    templatesNamed: async (start: string): Promise<string[]> => {
      const { data } = await ask<{ data: { status: number | null; body: { name?: string } }[] }>(
        'GET',
        'calls?method=POST&path=message_templates',
      );
      return data.flatMap(({ status, body: { name = '' } }) =>
        status === 200 && name.startsWith(start) ? [name] : [],
      );
    },
    postponeRepeatedJobs: () => postponeRepeatedJobs(control),
    async close() {
      await control.end();
      await sandbox.close();
      await service.close();
    },
  };
}

const POSTPONE = `
update graphile_worker._private_jobs set run_at = now() + interval '1 year', locked_by = null, locked_at = null, attempts = 0`;

/** They belong to its own play only. */
async function postponeRepeatedJobs(control: Pool): Promise<void> {
  await Promise.all(RECURRING_TASKS.map((task) => control.query(ADD_RECURRING_JOB, [task])));
  await control.query(POSTPONE);
}
