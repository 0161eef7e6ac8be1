// A backup of a release with open work, for the test that this version and every later one continues it
// (server/previous-release.integration.test.ts).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectBooks } from '../../server/testing/beside-sandbox.ts';
import { waitingFlow } from '../../server/testing/waiting-flow.ts';
import { PHONE } from '../chaos/conversations/workflow.ts';
import { trigger, type Workflow } from '../chaos/workflows.ts';
import { World } from './world.ts';

const CUSTOMER = '15551234567';
const PATIENCE_MS = 30_000;
/** The maximum duration of a wait: it expires when the backup is restored later. */
const LONG = { wait_amount: 366, wait_unit: 'days' };

/** Contents of the backup, by their use in the test. */
export interface LeftStates {
  version: string;
  /** Runs, each in the state of its name. */
  runs: Record<'queued' | 'delayed' | 'unanswered' | 'undecided', string>;
  /** The link of the run that waits for a decision. */
  decisionPath: string;
  /** The URL of a webhook. */
  webhookPath: string;
}

/**
 * @param release the built release
 * @param target a new folder: it gets `backup/` and `states.json`
 * @param folder for data and logs
 */
export async function leaveBackup(
  { release, version }: { release: string; version: string },
  target: string,
  folder: string,
): Promise<void> {
  const world = await World.start(folder);
  const { api, control } = world.calls;
  const create = (workflow: object): Promise<Workflow> => api('POST', '/workflows', workflow);
  try {
    await world.patchbay(release, 'migrate');
    await world.startAll(release);
    const connection = await connectBooks(world.calls);
    await api('POST', `/connections/${connection}/notifications`);
    await api('PUT', '/secrets/shop_key', { value: 'the-key-of-the-shop' });
    await create(CALLING);
    await control('POST', 'customer-messages', { customer: CUSTOMER, phone_number_id: PHONE, text: 'Hello' });
    await until(world, 'select from conversation_windows');

    const waiting = await create(waitingFlow('Wait for a minute', 60));
    const delayed = await post(world, waiting);
    const unanswered = await post(world, await create(asking(connection)));
    const undecided = await post(world, await create(DECIDING));
    await until(world, `select from runs where status = 'waiting' having count(*) = 3`);
    const { tasks } = await api<{ tasks: { task_id: number; output: { url: string } }[] }>(
      'GET',
      `/runs/${undecided}`,
    );
    const link = tasks.find(({ task_id }) => task_id === 2)?.output.url ?? '';
    await world.endWorkers();
    const queued = await post(world, await create(waitingFlow('Wait for a moment', 1)));

    mkdirSync(target, { recursive: true });
    await world.patchbay(release, 'backup', join(target, 'backup'));
    const states: LeftStates = {
      version,
      runs: { queued, delayed, unanswered, undecided },
      decisionPath: new URL(link).pathname,
      webhookPath: new URL(waiting.webhook.production_url).pathname,
    };
    writeFileSync(join(target, 'states.json'), `${JSON.stringify(states, null, 2)}\n`);
  } finally {
    await world.end();
  }
}

/** Has a secret in a setting, and refers to a named one. */
const CALLING = {
  name: 'Call the shop',
  publish: true,
  tasks: [
    trigger,
    {
      id: 2,
      type: 'http_request',
      settings: {
        method: 'GET',
        url: 'https://shop.example.com/orders',
        headers: [
          { name: 'Authorization', value: 'Bearer a-token-in-a-setting' },
          { name: 'X-Key', value: '{{secret.shop_key}}' },
        ],
      },
    },
  ],
  edges: [{ from: 1, to: 2 }],
};

const DECIDING = {
  name: 'Decide',
  publish: true,
  tasks: [
    trigger,
    {
      id: 2,
      type: 'approval_link',
      settings: { question: 'Refund?', valid_amount: LONG.wait_amount, valid_unit: LONG.wait_unit },
    },
    { id: 3, type: 'wait_for_approval', settings: { link_id: '{{task_2_link_id}}', ...LONG } },
    {
      id: 4,
      type: 'set_variables',
      settings: { variables: [{ name: 'comment', value: '{{task_3_comment}}' }] },
    },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 4, branch: 'approved' },
  ],
};

const asking = (connection: string) => ({
  name: 'Ask',
  publish: true,
  tasks: [
    trigger,
    {
      id: 2,
      type: 'ask_and_wait',
      settings: {
        app_connection_id: connection,
        phone_number_id: PHONE,
        recipient: CUSTOMER,
        answer_by: 'text',
        question: 'When do you come?',
        wait_amount: 1,
        wait_unit: 'minutes',
      },
    },
    { id: 3, type: 'set_variables', settings: { variables: [{ name: 'answered', value: 'no' }] } },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'no_answer' },
  ],
});

/** @returns the id of its run */
async function post({ calls }: World, { webhook }: Workflow): Promise<string> {
  const answer = await fetch(webhook.production_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"who": "Guest"}',
  });
  const event = await calls.api<{ run_id: string }>('GET', `/events/${answer.headers.get('X-Event-Id')}`);
  return event.run_id;
}

async function until({ db }: World, sql: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    if ((await db.$client.query(sql)).rowCount) return;
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${sql}`);
  }
}
