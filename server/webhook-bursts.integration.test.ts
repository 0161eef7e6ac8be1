// Webhooks that become one run, through two web processes and a worker (docs/webhooks.md, "Bursts").
import { expect, it, vi } from 'vitest';
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

const KEYS = 20;
const EACH = 10;

const post = (token: string, at: number, body: object): Promise<Answer> =>
  send(DOORS[at % DOORS.length] ?? 'node', `/webhook/${token}`, {
    headers: json,
    body: JSON.stringify(body),
  });

it('200 webhooks of 20 keys over two processes become 20 runs, each with all of its own', async () => {
  const { token, workflowId } = await insertWorkflow(
    db.$client,
    chain(
      trigger({ response_body: '{"n":{{n}}}', quiet_seconds: 10, quiet_by: '{{key}}' }),
      setTask(2, '{{#each task_1.WEBHOOKS}}{{key}}:{{n}} {{/each}}'),
    ),
  );
  const answers = await Promise.all(
    Array.from({ length: KEYS * EACH }, (_, n) => post(token, n, { key: `k${n % KEYS}`, n })),
  );
  expect(answers.map(({ body }) => body)).toEqual(answers.map((_, n) => `{"n":${n}}`));
  const over = `select t.output from runs r join task_runs t on t.run_id = r.id and t.task_id = 2
    where r.workflow_id = $1 and r.status = 'succeeded'`;
  await vi.waitFor(
    async () => expect((await db.$client.query(over, [workflowId])).rowCount).toBe(KEYS),
    60_000,
  );
  const { rows } = await db.$client.query<{ output: string }>(over, [workflowId]);
  const seen = rows.map(({ output }) =>
    Object.values(JSON.parse(output) as object)
      .join('')
      .trim()
      .split(' '),
  );
  for (const webhooks of seen) {
    expect(new Set(webhooks.map((each) => each.split(':')[0])).size).toBe(1);
    expect(webhooks).toHaveLength(EACH);
  }
  const numbers = seen.flat().map((each) => Number(each.split(':')[1]));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(answers.map((_, n) => n));
  const outcomes = await db.$client.query(
    'select outcome, count(*)::int as events from events where workflow_id = $1 group by 1 order by 1',
    [workflowId],
  );
  expect(outcomes.rows).toEqual([
    { outcome: 'collected', events: KEYS * (EACH - 1) },
    { outcome: 'triggered', events: KEYS },
  ]);
}, 90_000);

it('callers that wait for the run get its response, whichever process they called, and 202 if it takes too long', async () => {
  const insert = async (quietSeconds: number): Promise<string> => {
    const settings = { response_type: 'after_workflow', response_body: '{{task_2_text}}' };
    const graph = chain(trigger({ ...settings, quiet_seconds: quietSeconds }), setTask(2, '{{task_1_n}}'));
    return (await insertWorkflow(db.$client, graph)).token;
  };
  const [soon, late] = [await insert(1), await insert(30)];
  const answers = await Promise.all([0, 1, 2, 3].map((n) => post(soon, n, { n: 7 })));
  expect(answers.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(4).fill('200 7'));
  const waiting = await Promise.all([0, 1].map((n) => post(late, n, { n })));
  expect(waiting.map(({ status }) => status)).toEqual([202, 202]);
  expect(waiting[1]?.body).toBe(waiting[0]?.body);
}, 60_000);
