// Lists from their upload to their last run, with the job and the engine of a worker.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setConsent } from '#lib/messaging/consent/consents.ts';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { pauseWorkflow } from '#lib/workflows/lifecycle.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { deleteList, mapList, pauseList, resumeList, retryList, startList, stopList } from './change-list.ts';
import { readNumber } from './check-rows.ts';
import { forecastList } from './forecast.ts';
import { getList, listLists, listRows } from './read-list.ts';
import { readCsv } from './read-csv.ts';
import { runLists } from './run-lists.ts';
import type { ListState, RowState } from './schema.ts';
import { createList, readObjects } from './upload-list.ts';

let world: MessagingWorld;
let workflowId: string;
beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await pool().query(
    'delete from send_lists; delete from runs; delete from events; delete from customer_consents',
  );
  const graph = { ...callingGraph(), publish: true };
  workflowId = (await createWorkflow(world.ctx, graph)).id;
});

const pool = () => world.runtime.hot;
const numberOf = (place: number): string => String(15_550_100_000 + place);
const csvOf = (...lines: string[]): Promise<Awaited<ReturnType<typeof readCsv>>> =>
  readCsv(
    (async function* () {
      yield Buffer.from(['name,phone', ...lines].join('\n'));
    })(),
  );
const upload = async (lines: string[], more: Partial<Parameters<typeof createList>[2]> = {}) =>
  createList(world.ctx, await csvOf(...lines), { workflowId, name: 'Guests', ...more });
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, place) => `Guest ${place},${numberOf(place)}`);

/** Lets the job work until the list has a state; time passes for the pace only. */
async function until(id: string, state: ListState | ((counts: Record<RowState, number>) => boolean)) {
  for (let step = 0; step < 500; step += 1) {
    await pool().query(
      `update send_lists set work_at = now() - interval '1 second', paced_at = now() - interval '1 second' where work_at is not null`,
    );
    await runLists(world.runtime);
    const list = await getList(world.ctx, { id });
    if (typeof state === 'function' ? state(list.counts) : list.state === state) return list;
  }
  throw new Error(`The list did not get there: ${JSON.stringify(await getList(world.ctx, { id }))}`);
}
const end = (status: string): Promise<unknown> =>
  pool().query(`update runs set status = $1, finished_at = now() where status = 'queued'`, [status]);
const countRuns = async (): Promise<number> =>
  (await pool().query<{ count: number }>('select count(*)::int as count from runs')).rows[0]?.count ?? 0;

test('each row starts one run with its fields, and the list ends with the last', async () => {
  const { list, isNew } = await upload(['Ada,15550101001', 'Bob,15550101002']);
  expect(isNew).toBe(true);
  expect(list).toMatchObject({ state: 'checking', row_count: 2, columns: ['name', 'phone'] });
  await until(list.id, 'ready');
  await startList(world.ctx, list);
  await until(list.id, ({ running }) => running === 2);
  const { rows } = await pool().query(
    `select convert_from(e.body, 'UTF8')::json as body, e.kind, e.outcome from events e join runs r on r.event_id = e.id order by e.id`,
  );
  expect(rows).toEqual([
    { body: { name: 'Ada', phone: '15550101001' }, kind: 'list', outcome: 'triggered' },
    { body: { name: 'Bob', phone: '15550101002' }, kind: 'list', outcome: 'triggered' },
  ]);
  await end('succeeded');
  expect(await until(list.id, 'finished')).toMatchObject({
    counts: { succeeded: 2, waiting: 0, running: 0 },
  });
  const page = await listRows(world.ctx, { id: list.id, limit: 10, state: 'succeeded' });
  expect(page.data).toMatchObject([
    { line: 2, recipient: '15550101001', values: { name: 'Ada' }, state: 'succeeded' },
    { line: 3, recipient: '15550101002' },
  ]);
});

test('rows without a number, twice, and of customers who opted out are skipped with their reason', async () => {
  await setConsent(world.ctx, { id: '15550101003', purpose: 'all', state: 'stopped', source: 'api' });
  const { list } = await upload([
    'Ada,15550101001',
    'No number,',
    'Short,12',
    'Ada again,+1 555 010 1001',
    'Left,15550101003',
  ]);
  const checked = await until(list.id, 'ready');
  expect(checked.counts).toMatchObject({ waiting: 1, skipped: 4 });
  const { data } = await listRows(world.ctx, { id: list.id, limit: 10 });
  expect(data.map(({ line, skipped }) => [line, skipped])).toEqual([
    [2, null],
    [3, 'invalid'],
    [4, 'invalid'],
    [5, 'duplicate'],
    [6, 'opted_out'],
  ]);
  expect(
    (await listRows(world.ctx, { id: list.id, limit: 1, skipped: 'invalid' })).next_cursor,
  ).not.toBeNull();
});

test('the same rows again are the list that is there, unless another one is wanted', async () => {
  const { list } = await upload(many(3));
  expect(await upload(many(3))).toMatchObject({ isNew: false, list: { id: list.id } });
  const at = await Promise.all([upload(many(4)), upload(many(4)), upload(many(4))]);
  expect(new Set(at.map((each) => each.list.id)).size).toBe(1);
  expect((await upload(many(3), { again: true })).isNew).toBe(true);
  const { data } = await listLists(world.ctx, { workflowId, limit: 10 });
  expect(data).toHaveLength(3);
});

test('another mapping is checked again, and cannot be one of columns that are not there', async () => {
  const { list } = await upload(['15550101001,Ada'], {});
  await until(list.id, 'ready');
  const mapping = { recipient: 'name', default_country: null, variables: { 'guest.phone': 'name' } };
  expect(await mapList(world.ctx, { id: list.id, mapping })).toMatchObject({ state: 'checking' });
  expect((await until(list.id, 'ready')).counts).toMatchObject({ waiting: 1, skipped: 0 });
  await expect(mapList(world.ctx, { id: list.id, mapping: { ...mapping, recipient: 'x' } })).rejects.toThrow(
    'no column “x”',
  );
});

test('a paused list starts nothing, a resumed one the rest, a stopped one nothing more', async () => {
  const { list } = await upload(many(300), { start: true });
  await until(list.id, ({ running }) => running > 0);
  const paused = await pauseList(world.ctx, list);
  const before = await countRuns();
  for (let step = 0; step < 3; step += 1) {
    await pool().query(`update send_lists set work_at = now() - interval '1 second'`);
    await runLists(world.runtime);
  }
  expect(await countRuns()).toBe(before);
  expect(paused.counts.waiting + before).toBe(300);
  await resumeList(world.ctx, list);
  await end('succeeded');
  await until(list.id, ({ running, succeeded }) => running + succeeded > before);
  const stopped = await stopList(world.ctx, list);
  expect(stopped.counts.waiting).toBe(0);
  const { data } = await listRows(world.ctx, { id: list.id, limit: 1, skipped: 'stopped' });
  expect(data).toHaveLength(1);
  await end('succeeded');
  expect((await until(list.id, ({ running }) => running === 0)).state).toBe('stopped');
  expect(await countRuns()).toBe(300 - stopped.counts.skipped);
});

test('it is started at the rate of the number, and not far ahead of its runs', async () => {
  const { list } = await upload(many(400), { start: true });
  await until(list.id, ({ running }) => running > 0);
  const rate = world.runtime.platform.limits.messagesPerSecond;
  for (let step = 0; step < 10; step += 1) {
    await pool().query(
      `update send_lists set work_at = now() - interval '1 second', paced_at = now() - interval '1 second'`,
    );
    await runLists(world.runtime);
  }
  expect(await countRuns()).toBeLessThanOrEqual(Math.ceil(rate * 1.5));
  await end('succeeded');
  const startedBy = async (pacedAt: string): Promise<number> => {
    const before = await countRuns();
    await pool().query(
      `update send_lists set work_at = now() - interval '1 second', paced_at = now() + $1::interval`,
      [pacedAt],
    );
    await runLists(world.runtime);
    return (await countRuns()) - before;
  };
  expect(await startedBy('1 hour')).toBe(0);
  // What a pause of the job left behind is at most a second's.
  expect(await startedBy('-1 hour')).toBe(rate);
});

test('only failed rows are retried: their runs continue; unknown outcomes only where it is wanted', async () => {
  const { list } = await upload(many(3), { start: true });
  await until(list.id, ({ running }) => running === 3);
  const { rows } = await pool().query<{ id: string }>('select id from runs order by id');
  const [good, bad, unknown] = rows.map(({ id }) => id);
  await pool().query(
    `update runs set status = case when id = $1 then 'succeeded' else 'failed' end, finished_at = now()`,
    [good],
  );
  await pool().query(
    `insert into task_runs (run_id, task_id, iteration, status, attempts) values ($1, 2, '', 'outcome_unknown', '[]'), ($2, 2, '', 'failed', '[]')`,
    [unknown, bad],
  );
  await until(list.id, 'finished');
  await retryList(world.ctx, list);
  await until(list.id, ({ running }) => running === 1);
  expect((await pool().query('select id from runs where status = $1', ['queued'])).rows).toEqual([
    { id: bad },
  ]);
  expect(await countRuns()).toBe(3);
  await end('succeeded');
  await until(list.id, 'finished');
  await expect(retryList(world.ctx, list)).rejects.toThrow('It is not known whether');
  await retryList(world.ctx, { id: list.id, repeat_unknown: true });
  await until(list.id, ({ running }) => running === 1);
});

test('a list pauses with the reason when its workflow is paused, and its rows are kept', async () => {
  const { list } = await upload(many(300), { start: true });
  await until(list.id, ({ running }) => running > 0);
  await pauseWorkflow(world.ctx, { id: workflowId });
  await end('succeeded');
  const paused = await until(list.id, 'paused');
  expect(paused.problem).toContain('paused');
  const { rows } = await pool().query(
    `select count(*)::int as count from events where outcome <> 'triggered'`,
  );
  expect(rows).toEqual([{ count: 0 }]);
  await expect(resumeList(world.ctx, list)).rejects.toThrow('paused');
});

test('two workers at once start each row once', async () => {
  const { list } = await upload(many(60), { start: true });
  await until(list.id, ({ running }) => running > 0);
  for (let step = 0; step < 20; step += 1) {
    await pool().query(
      `update send_lists set work_at = now() - interval '1 second', paced_at = now() - interval '1 second' where work_at is not null`,
    );
    await Promise.all([runLists(world.runtime), runLists(world.runtime), runLists(world.runtime)]);
  }
  const { rows } = await pool().query(
    `select count(*)::int as runs, count(distinct convert_from(e.body, 'UTF8'))::int as bodies from runs r join events e on e.id = r.event_id`,
  );
  expect(rows).toEqual([{ runs: 60, bodies: 60 }]);
});

test('the forecast counts the rows that would start, and how long that takes', async () => {
  const { list } = await upload(many(160));
  const ready = await until(list.id, 'ready');
  expect(await forecastList({ ...world.ctx, platform: world.runtime.platform }, ready)).toMatchObject({
    people: 160,
    tierLeft: null,
    seconds: 2,
  });
});

test('a JSON array is a list, too; a list can be deleted, other workspaces do not see it', async () => {
  const source = readObjects([
    { phone: '15550101001', extra: { table: 4 } },
    { phone: '15550101002', name: 'Bob' },
  ]);
  const { list } = await createList(world.ctx, source, { workflowId, name: 'Array' });
  expect(list.columns).toEqual(['phone', 'extra', 'name']);
  await expect(getList({ ...world.ctx, workspaceId: workflowId }, list)).rejects.toThrow('does not exist');
  await deleteList(world.ctx, list);
  expect((await pool().query('select from send_list_rows')).rowCount).toBe(0);
});

describe('a number', () => {
  test.each([
    ['+49 171 1234567', null, '491711234567'],
    ['0171 1234567', 'DE', '491711234567'],
    ['00491711234567', null, '491711234567'],
    ['491711234567', null, '491711234567'],
    [15550101001, null, '15550101001'],
    ['US.1349AAA', null, 'US.1349AAA'],
    ['12', null, undefined],
    ['0171 1234567', null, undefined],
    ['hello', 'DE', undefined],
    ['', null, undefined],
  ])('%j with the country %j is %j', (value, country, expected) => {
    expect(readNumber(value, { default_country: country })).toBe(expected);
  });
});
