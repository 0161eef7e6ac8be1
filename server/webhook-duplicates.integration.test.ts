// Copies of webhooks that reach two web processes at the same time (docs/webhooks.md, "Duplicates").
import { expect, it } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  type Answer,
  chain,
  db,
  DOORS,
  json,
  send,
  setTask,
  setUpDoors,
  trigger,
} from './testing/webhook-doors.ts';

setUpDoors();

const KEYS = 100;
const COPIES_OF_KEY = 10;
/** Open requests at a time. */
const CONNECTIONS = 100;

/** Sends all of them, in an order in which copies of a key meet in both processes. */
async function sendAll(token: string): Promise<Map<number, Answer[]>> {
  const answers = new Map<number, Answer[]>();
  let next = 0;
  const sendInTurn = async (): Promise<void> => {
    while (next < KEYS * COPIES_OF_KEY) {
      const index = next++;
      const key = Math.floor(index / COPIES_OF_KEY);
      const answer = await send(DOORS[index % DOORS.length] ?? 'node', `/webhook/${token}`, {
        headers: { ...json, 'idempotency-key': `key-${key}` },
        body: JSON.stringify({ order: key }),
      });
      answers.set(key, [...(answers.get(key) ?? []), answer]);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn));
  return answers;
}

it.each([
  ['immediate', { response_body: '{"order":{{order}},"at":"{{$now}}"}' }],
  ['after the workflow', { response_type: 'after_workflow', response_body: '{{task_2_text}}' }],
])(
  '1,000 copies of 100 keys over two processes start exactly 100 runs (%s)',
  async (_, settings) => {
    const { token, workflowId } = await insertWorkflow(
      db.$client,
      chain(
        trigger({ ...settings, deduplicate_by: 'idempotency_key' }),
        setTask(2, '{{task_1_order}} {{$now}}'),
      ),
    );
    const answers = await sendAll(token);
    expect(answers.size).toBe(KEYS);
    for (const [key, copies] of answers) {
      expect(copies).toHaveLength(COPIES_OF_KEY);
      expect(new Set(copies.map(({ status }) => status))).toEqual(new Set([200]));
      const responses = new Set(
        copies.map(({ body, headers }) => `${body} ${String(headers['x-event-id'])}`),
      );
      expect(responses.size, `responses to key ${key}`).toBe(1);
      expect(copies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(
        COPIES_OF_KEY - 1,
      );
    }
    const { rows } = await db.$client.query(
      `select count(*)::int as events, count(*) filter (where e.outcome = 'triggered')::int as triggered,
       count(*) filter (where e.outcome = 'duplicate' and f.outcome = 'triggered')::int as duplicates,
       (select count(*)::int from runs where workflow_id = $1) as runs
     from events e left join events f on f.id = e.duplicate_of where e.workflow_id = $1`,
      [workflowId],
    );
    expect(rows).toEqual([
      { events: KEYS * COPIES_OF_KEY, triggered: KEYS, duplicates: KEYS * (COPIES_OF_KEY - 1), runs: KEYS },
    ]);
  },
  60_000,
);
