// From the signed status of a message to the list of runs.
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { recordSent, recordSentTogether } from '#lib/messaging/sending/record-sent.ts';
import {
  GRAPH,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
  status,
} from '#lib/messaging/testing/notifications.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { watchStatements } from '#lib/testing/watch-statements.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { getRun } from './get-run.ts';
import { listRuns, searchRuns } from './list-runs.ts';

const AT = 1_700_000_000;
const ERROR = { code: 131026, title: 'Message undeliverable' };

const receiver = setUpNotifications();
let workflowId: string;
let token: string;
beforeEach(async () => {
  const { hot } = receiver.world.runtime;
  await hot.query('delete from runs; delete from sent_messages; delete from undelivered_runs');
  ({ workflowId, token } = await insertWorkflow(hot, GRAPH, receiver.world.workspaceId));
});

const inWorld = () => ({ ...receiver.world.ctx, pool: receiver.world.runtime.hot });
const start = (): Promise<string> => startRun(createIntake(receiver.world.runtime.hot), token);
const sent = (runId: string, messageId = newMessageId()) => ({
  messageId,
  connectionId: receiver.connectionId,
  phoneNumberId: PHONE,
  recipient: '15550001111',
  kind: 'text' as const,
  taskRun: { runId, taskId: 2, iteration: '' },
});
const send = async (runId: string): Promise<string> => {
  const message = sent(runId);
  await recordSent(receiver.world.ctx, message);
  return message.messageId;
};
const failed = (messageId: string, at = AT): object => status(messageId, 'failed', at, { errors: [ERROR] });
const deliver = async (...values: object[]): Promise<void> => {
  expect((await receiver.deliver(notification(...values))).status).toBe(200);
};
const undelivered = async (filter: Omit<Parameters<typeof listRuns>[1], 'limit'> = {}): Promise<string[]> => {
  const input = { limit: 100, delivery: 'undelivered' as const, ...filter };
  const { data } = await listRuns(receiver.world.ctx, input);
  expect(data.every(({ delivery }) => delivery === 'undelivered')).toBe(true);
  return data.map(({ id }) => id);
};

test('a run whose message failed is not delivered, whatever its status; the run says why and what to do', async () => {
  const [good, bad, both] = [await start(), await start(), await start()];
  const messages = [await send(good), await send(bad), await send(both), await send(both)];
  await receiver.world.runtime.hot.query(`update runs set status = 'succeeded' where id = $1`, [bad]);
  await deliver(status(messages[0] ?? '', 'delivered', AT), status(messages[1] ?? '', 'sent', AT));
  expect(await undelivered()).toEqual([]);
  await deliver(failed(messages[1] ?? ''), failed(messages[2] ?? ''), status(messages[3] ?? '', 'read', AT));
  expect(await undelivered()).toEqual([both, bad]);
  expect(await undelivered({ workflow_id: workflowId })).toEqual([both, bad]);
  expect(await undelivered({ workflow_id: newId() })).toEqual([]);
  expect(await undelivered({ status: 'succeeded' })).toEqual([bad]);
  expect(await undelivered({ status: 'failed' })).toEqual([]);
  const { data } = await listRuns(receiver.world.ctx, { limit: 100 });
  expect(data.map(({ id, delivery }) => [id, delivery])).toEqual([
    [both, 'undelivered'],
    [bad, 'undelivered'],
    [good, null],
  ]);
  const run = await getRun(receiver.world.ctx, { id: bad });
  expect(run).toMatchObject({
    status: 'succeeded',
    delivery: 'undelivered',
    messages: [{ status: 'failed' }],
  });
  expect(run.messages[0]?.problem).toMatch(/^Message undeliverable \(131026\)\. The recipient is not on/);
});

test('pages, and a search by the id of a run or of its event', async () => {
  const runs: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const runId = await start();
    runs.unshift(runId);
    await deliver(failed(await send(runId)));
  }
  const { ctx } = receiver.world;
  const filter = { delivery: 'undelivered', hidesNumbers: false } as const;
  const first = await listRuns(ctx, { ...filter, limit: 2 });
  const rest = await listRuns(ctx, { ...filter, limit: 2, cursor: first.next_cursor ?? '' });
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(runs);
  expect(rest.next_cursor).toBeNull();
  const other = await start();
  const find = async (text: string) =>
    (await searchRuns(ctx, { ...filter, limit: 5, text })).data.map(({ id }) => id);
  expect(await find(runs[1] ?? '')).toEqual([runs[1]]);
  expect(await find(other)).toEqual([]);
});

test('statuses in any order: before the send is recorded, with it, twice, and with late ones after it', async () => {
  const [early, together, late] = [await start(), await start(), await start()];
  const [earlyId, togetherId] = [newMessageId(), newMessageId()];
  await deliver(failed(earlyId), failed(togetherId));
  expect(await undelivered()).toEqual([]);
  await recordSent(receiver.world.ctx, sent(early, earlyId));
  await Promise.all(
    [sent(together, togetherId), sent(late)].map((each) => recordSentTogether(inWorld(), each)),
  );
  expect(await undelivered()).toEqual([together, early]);
  const lateId = await send(late);
  await deliver(failed(lateId), failed(lateId, AT + 1));
  await deliver(status(lateId, 'delivered', AT), status(earlyId, 'sent', AT), failed(earlyId, AT + 2));
  expect(await undelivered()).toEqual([late, together, early]);
});

test('a status of a message that no run sent, or whose run was removed, marks nothing', async () => {
  const runId = await start();
  const messageId = await send(runId);
  await receiver.world.runtime.hot.query('delete from runs');
  await deliver(failed(messageId), failed(newMessageId()));
  expect((await receiver.world.runtime.hot.query('select from undelivered_runs')).rows).toEqual([]);
});

test('a run of a draft is shown, and left out of alerts', async () => {
  const [published, draft] = [await start(), await start()];
  const { hot } = receiver.world.runtime;
  await hot.query('update runs set version = -1 where id = $1', [draft]);
  await deliver(failed(await send(published)), failed(await send(draft)));
  expect(await undelivered()).toEqual([draft, published]);
  const { rows } = await hot.query('select run_id from undelivered_runs where not is_reported');
  expect(rows).toEqual([{ run_id: published }]);
});

test('five hundred failed messages take one statement more, and those that arrived none', async () => {
  const runId = await start();
  const ids = Array.from({ length: 500 }, newMessageId);
  await Promise.all(ids.map((id) => recordSentTogether(inWorld(), sent(runId, id))));
  const marking = async (...values: object[]): Promise<number> => {
    let count = 0;
    await watchStatements(
      receiver.world.runtime.hot,
      () => deliver(...values),
      async (_, { text }) => void (count += text.includes('undelivered_runs') ? 1 : 0),
    );
    return count;
  };
  expect(await marking(...ids.map((id) => status(id, 'delivered', AT)))).toBe(0);
  expect(await marking(...ids.map((id) => failed(id)))).toBe(1);
  expect(await undelivered()).toEqual([runId]);
});

test('notifications at the same time with messages of the same runs, in opposite orders, all are stored', async () => {
  const runs = await Promise.all(Array.from({ length: 30 }, start));
  const batches = await Promise.all(
    Array.from({ length: 8 }, async (_, place) => {
      const ids = await Promise.all(runs.map(send));
      return place % 2 === 0 ? ids : ids.toReversed();
    }),
  );
  await Promise.all(batches.map((ids) => deliver(...ids.map((id) => failed(id)))));
  expect(await undelivered()).toEqual(runs.toSorted().toReversed());
});
