// What retention removes and what it must not touch, over rows of a real database.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createdAtMs, lowestIdAt, newId } from '#lib/core/ids.ts';
import type { RunStatus } from '#lib/engine/run-types.ts';
import { indexDue } from '#lib/events/full-text/index-due.ts';
import { switchFullTextOff, switchFullTextOn } from '#lib/events/full-text/switch.ts';
import { getEvent, getEventBody } from '#lib/events/read-events.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { setRetention } from '#lib/identity/workspaces/retention.ts';
import { FOR_EVER, type Retention } from '#lib/identity/workspaces/schema.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { countDueDays } from '#lib/messaging/reports/count-days.ts';
import { sealLink } from '#lib/messaging/media/media-link.ts';
import { retryRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { explainWork } from '#lib/testing/explain.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { deleteWorkflow } from '#lib/workflows/lifecycle.ts';
import { SAMPLE_EVENTS } from '#lib/workflows/newest-events.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { readOverdueSeconds } from './due-parts.ts';
import { removeDue, type RemovalOptions } from './remove-due.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const GRAPH = drawing(
  [{ id: 2, type: 'set_variables', settings: { variables: [{ name: 'a', value: 'b' }] } }],
  [{ from: 1, to: 2 }],
);

let context: TestContext;
let ctx: ActorContext;
let workflow: Workflow;
let folder: string;
beforeAll(async () => {
  context = await createTestContext();
  ({ ctx } = context);
  folder = mkdtempSync(join(tmpdir(), 'patchbay-retention-'));
});
afterAll(async () => {
  await context.end();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  const tables = [
    'runs',
    'events',
    'task_runs',
    'sent_messages',
    'audit_entries',
    'draft_runs',
    'send_lists, send_list_rows',
  ];
  const own = ['retention_settings', 'retention_progress', 'retention_leftovers'];
  await query(`truncate ${[...tables, ...own].join(', ')}`);
  workflow = await publish(ctx);
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await ctx.db.$client.query<Row>(text, values)).rows;

const publish = (by: ActorContext): Promise<Workflow> => new TestEngine(by).publish(GRAPH);

/** An id of some days before now. */
const idOf = (daysAgo: number): string =>
  lowestIdAt(now.getTime() - daysAgo * DAY_MS).slice(0, 14) + newId().slice(14);

interface Past {
  by?: ActorContext;
  of?: Workflow;
  status?: RunStatus;
  body?: string;
  output?: string;
  eventId?: string;
  retryOf?: string;
}

/** A run of some days ago with its event and two task runs. */
async function addRun(
  daysAgo: number,
  { by = ctx, of = workflow, status = 'succeeded', body = '{"a":1}', output = '{"b":2}', ...more }: Past = {},
): Promise<{ runId: string; eventId: string }> {
  const [runId, eventId] = [idOf(daysAgo), more.eventId ?? idOf(daysAgo)];
  const at = new Date(createdAtMs(runId));
  const workspace = by.workspaceId;
  if (more.eventId === undefined)
    await query(
      `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
       values ($1, $2, $3, 'production', 'triggered', $4, '{"x":"y"}', $5, $6)`,
      [eventId, workspace, of.id, at, Buffer.from(body), runId],
    );
  await query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, retry_of)
     values ($1, $2, $3, 1, $4, $5, $6, $7)`,
    [runId, workspace, of.id, eventId, status, at, more.retryOf ?? null],
  );
  await query(
    `insert into task_runs (run_id, task_id, status, output, state, run_text, started_at, finished_at)
     values ($1, 1, 'succeeded', null, null, 'Received.', $2, $2), ($1, 2, 'succeeded', $3, '{}', 'Set.', $2, $2)`,
    [runId, at, output],
  );
  return { runId, eventId };
}

/** As many newer events as the editor offers as samples, so that older ones are none. */
async function addSamples(of = workflow, by = ctx): Promise<void> {
  for (let count = 0; count < SAMPLE_EVENTS; count += 1) await addRun(0.01, { of, by });
}

const keep = (retention: Partial<Retention>, by = ctx) => setRetention(by, { ...FOR_EVER, ...retention });

/** Until nothing is due. */
async function removeAll(options: Partial<RemovalOptions> = {}): Promise<void> {
  while (await removeDue({ pool: ctx.db.$client, now, ...options }));
}

const idsIn = async (table: string): Promise<string[]> =>
  (
    await query<{ id: string }>(
      `select distinct ${table === 'task_runs' ? 'run_id' : 'id'} as id from ${table}`,
    )
  ).map(({ id }) => id);

test('runs, their task runs and events are deleted when they are older, and not before', async () => {
  await addSamples();
  const [old, young] = [await addRun(31), await addRun(29)];
  await keep({ runs_days: 30 });
  await removeAll();
  expect(await idsIn('runs')).toContain(young.runId);
  expect(await idsIn('runs')).not.toContain(old.runId);
  expect(await idsIn('task_runs')).not.toContain(old.runId);
  expect(await idsIn('events')).toContain(young.eventId);
  expect(await idsIn('events')).not.toContain(old.eventId);
  await expect(getRun(ctx, { id: old.runId })).rejects.toMatchObject({
    code: 'not_found',
    message: 'This run was removed: runs and events are kept for 30 days.',
  });
  await expect(getEvent(ctx, { id: old.eventId })).rejects.toMatchObject({
    message: 'This event was removed: runs and events are kept for 30 days.',
  });
  await expect(getRun(ctx, { id: newId() })).rejects.toMatchObject({ message: 'This run does not exist.' });
});

test('what full text indexed goes with the body, also of a retry, and with the run; that of others stays', async () => {
  await switchFullTextOn(ctx.db);
  await addSamples();
  const [old, young] = [await addRun(31), await addRun(29)];
  const retry = await addRun(30.5, { eventId: old.eventId, retryOf: old.runId });
  const patience = { settledMs: 0, mergedMs: 0, againMs: 60_000 };
  while (await indexDue({ pool: ctx.db.$client, leastNew: 1, maxDocuments: 1, patience }));
  const isIndexed = async (id: string): Promise<boolean> => {
    const found = await query(
      `select from full_text_postings p join full_text_segments s on s.id = p.segment_id
       where s.workspace_id = $1 and s.from_ms <= $2 and s.to_ms > $2 limit 1`,
      [ctx.workspaceId, createdAtMs(id)],
    );
    return found.length > 0;
  };
  const all = () => Promise.all([old.eventId, retry.runId, young.eventId].map(isIndexed));
  expect(await all()).toEqual([true, true, true]);
  await keep({ runs_days: 30 });
  await removeAll();
  expect(await all()).toEqual([false, false, true]);
  await keep({ bodies_days: 20 });
  await removeAll();
  expect(await all()).toEqual([false, false, false]);
  await switchFullTextOff(ctx.db);
});

/** A list of some days ago. @param endedAgo null: it has not ended */
async function addList(
  daysAgo: number,
  { endedAgo, state = 'finished', rows = 2 }: { endedAgo: number | null; state?: string; rows?: number },
): Promise<string> {
  const id = idOf(daysAgo);
  await query(
    `insert into send_lists (id, workspace_id, workflow_id, name, columns, mapping, state, row_count, created_at, ended_at, work_at)
     values ($1, $2, $3, 'Guests', '["phone"]', '{}', $4, $5, $6, $7, case when $4 = 'running' then now() end)`,
    [
      id,
      ctx.workspaceId,
      workflow.id,
      state,
      rows,
      new Date(createdAtMs(id)),
      endedAgo === null ? null : new Date(now.getTime() - endedAgo * DAY_MS),
    ],
  );
  await query(
    `insert into send_list_rows (list_id, line, data, state, run_id)
     select $1, n, '["1"]', 'succeeded', gen_random_uuid() from generate_series(1, $2::int) n`,
    [id, rows],
  );
  return id;
}

test('lists go with all their rows when they ended long ago, or were uploaded then and never started', async () => {
  const gone = [
    await addList(40, { endedAgo: 31 }),
    await addList(41, { endedAgo: null, state: 'ready' }),
    await addList(42, { endedAgo: 40, state: 'stopped', rows: 9000 }),
  ];
  const waiting = await addList(43, { endedAgo: null, state: 'running' });
  const kept = [
    waiting,
    await addList(44, { endedAgo: 29 }),
    await addList(45, { endedAgo: null, state: 'paused' }),
    await addList(29, { endedAgo: null, state: 'ready' }),
  ];
  await keep({ runs_days: 30 });
  await removeAll();
  expect((await idsIn('send_lists')).toSorted()).toEqual(kept.toSorted());
  expect(await query('select from send_list_rows where list_id = any($1::uuid[])', [gone])).toEqual([]);
  expect(await query('select from send_list_rows')).toHaveLength(kept.length * 2);
  await query(
    `update send_lists set state = 'finished', work_at = null, ended_at = $2::timestamptz - interval '31 days' where id = $1`,
    [waiting, now],
  );
  await removeAll({ now: new Date(now.getTime() + 2 * 3_600_000) });
  expect(await idsIn('send_lists')).not.toContain(waiting);
});

test('nothing of a workspace that keeps everything goes, chosen or not, and workspaces do not touch each other', async () => {
  const { stranger } = context;
  const theirs = await publish(stranger);
  await addSamples();
  await addSamples(theirs, stranger);
  const [own, other] = [await addRun(2000), await addRun(2000, { by: stranger, of: theirs })];
  await removeAll();
  await keep({}, stranger);
  await removeAll();
  expect(await idsIn('runs')).toEqual(expect.arrayContaining([own.runId, other.runId]));
  await keep({ bodies_days: 1, runs_days: 1, messages_days: 1, audit_days: 1 });
  await removeAll();
  expect(await idsIn('runs')).not.toContain(own.runId);
  expect(await idsIn('runs')).toContain(other.runId);
  expect((await getEvent(stranger, { id: other.eventId })).body).toEqual({ a: 1 });
});

test.each(['queued', 'running', 'waiting'] as const)(
  'a run that is %s stays with its event until it has ended, and is removed by the next pass',
  async (status) => {
    await addSamples();
    const open = await addRun(100, { status });
    await keep({ bodies_days: 30, runs_days: 90 });
    await removeAll();
    expect((await getRun(ctx, { id: open.runId })).tasks[1]?.output).toEqual({ b: 2 });
    expect((await getEvent(ctx, { id: open.eventId })).body).toEqual({ a: 1 });
    await query(`update runs set status = 'succeeded' where id = $1`, [open.runId]);
    const later = new Date(now.getTime() + 2 * 3_600_000);
    await removeAll({ now: later });
    expect(await idsIn('runs')).not.toContain(open.runId);
    expect(await idsIn('events')).not.toContain(open.eventId);
    expect(await query('select from retention_leftovers where id = $1', [open.runId])).toEqual([]);
  },
);

test('the newest events of a workflow stay as samples with their runs; of a deleted workflow nothing does', async () => {
  const other = await publish(ctx);
  const samples = [];
  for (let count = 0; count < SAMPLE_EVENTS; count += 1) samples.push(await addRun(500));
  const gone = [await addRun(501), await addRun(500, { of: other })];
  await deleteWorkflow(ctx, { id: other.id });
  await keep({ bodies_days: 1, runs_days: 1 });
  await removeAll();
  const left = await idsIn('runs');
  expect(left.toSorted()).toEqual(samples.map(({ runId }) => runId).toSorted());
  expect((await idsIn('events')).toSorted()).toEqual(samples.map(({ eventId }) => eventId).toSorted());
  expect(left).not.toEqual(expect.arrayContaining(gone.map(({ runId }) => runId)));
  const [first] = samples;
  expect((await getEvent(ctx, { id: first?.eventId ?? '' })).body).toEqual({ a: 1 });
});

test('contents are cleared: the run and its event say so, and neither is retried or replayed', async () => {
  await addSamples();
  const { runId, eventId } = await addRun(31, { status: 'failed' });
  await keep({ bodies_days: 30 });
  await removeAll();
  const run = await getRun(ctx, { id: runId });
  expect(run.contents_removed_at).not.toBeNull();
  expect(run.tasks.map(({ output, run_text: text }) => [output, text])).toEqual([
    [null, 'Received.'],
    [null, 'Set.'],
  ]);
  const event = await getEvent(ctx, { id: eventId });
  expect(event).toMatchObject({ body: null, body_bytes: null, headers: {} });
  expect(event.body_removed_at).not.toBeNull();
  const removed = { code: 'conflict', message: expect.stringContaining('removed after') as string };
  await expect(getEventBody(ctx, { id: eventId })).rejects.toMatchObject({ code: 'not_found' });
  await expect(replayEvent(ctx, { id: eventId, repeat: true })).rejects.toMatchObject(removed);
  await expect(retryRun(ctx, { id: runId, from: 'failed_task' })).rejects.toMatchObject(removed);
  await expect(retryRun(ctx, { id: runId, from: 'start' })).rejects.toMatchObject(removed);
});

test('an event stays while a later run needs it: a retry, and a run of the draft', async () => {
  await addSamples();
  const first = await addRun(40);
  const retry = await addRun(5, { eventId: first.eventId, retryOf: first.runId });
  await keep({ bodies_days: 30, runs_days: 30 });
  await removeAll();
  expect(await idsIn('runs')).not.toContain(first.runId);
  expect((await getEvent(ctx, { id: first.eventId })).body).toEqual({ a: 1 });
  expect((await getRun(ctx, { id: retry.runId })).tasks[0]?.output).toEqual({ a: 1 });
  await query('update runs set version = -1, retry_of = null where id = $1', [retry.runId]);
  await removeAll({ now: new Date(now.getTime() + 2 * DAY_MS) });
  expect(await idsIn('events')).toContain(first.eventId);
  await removeAll({ now: new Date(now.getTime() + 30 * DAY_MS) });
  expect(await idsIn('runs')).not.toContain(retry.runId);
  expect(await idsIn('events')).not.toContain(first.eventId);
});

test('the webhooks of a burst stay as long as its run, and go with it', async () => {
  await addSamples();
  const runs = { over: await addRun(100), open: await addRun(100, { status: 'queued' }) };
  const collected = new Map<string, string>();
  for (const { runId, eventId } of Object.values(runs)) {
    const earlier = idOf(100);
    await query(
      `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
       select $1, workspace_id, workflow_id, kind, 'collected', received_at, headers, body, run_id from events where id = $2`,
      [earlier, eventId],
    );
    await query('insert into burst_events (run_id, place, event_id) values ($1, 1, $2), ($1, 2, $3)', [
      runId,
      earlier,
      eventId,
    ]);
    collected.set(runId, earlier);
  }
  await keep({ bodies_days: 10, runs_days: 30 });
  await removeAll();
  const left = await idsIn('events');
  expect(left).toEqual(expect.arrayContaining([runs.open.eventId, collected.get(runs.open.runId)]));
  expect(left).not.toContain(runs.over.eventId);
  expect(left).not.toContain(collected.get(runs.over.runId));
  expect((await getRun(ctx, { id: runs.open.runId })).burst_event_ids).toHaveLength(2);
  expect(await query('select from burst_events where run_id = $1', [runs.over.runId])).toEqual([]);
  expect(await query('select from events where id = any($1::uuid[]) and body is null', [left])).toEqual([]);
});

test('killed after any batch, the next pass finishes without harm', async () => {
  await addSamples();
  const old = [];
  for (let count = 0; count < 12; count += 1) old.push(await addRun(40 + count));
  const open = await addRun(45, { status: 'waiting' });
  await keep({ bodies_days: 10, runs_days: 30 });
  let kills = 0;
  for (let survived = 0; survived < 200; survived += 1) {
    let batches = 0;
    const killed = await removeDue({
      pool: ctx.db.$client,
      now,
      rowsAtOnce: 3,
      afterBatch() {
        batches += 1;
        if (batches === 2) throw new Error('killed');
      },
    }).then(
      (isMore) => isMore,
      () => 'killed' as const,
    );
    if (killed === 'killed') kills += 1;
    else if (!killed) break;
  }
  expect(kills).toBeGreaterThan(5);
  const left = await idsIn('runs');
  expect(left).toHaveLength(SAMPLE_EVENTS + 1);
  expect(left).toContain(open.runId);
  expect(await idsIn('events')).toHaveLength(SAMPLE_EVENTS + 1);
  expect((await getRun(ctx, { id: open.runId })).tasks[1]?.output).toEqual({ b: 2 });
});

test('a run with more task runs than a transaction may have is removed in pieces, and not resumed in between', async () => {
  await addSamples();
  const { runId } = await addRun(40, { status: 'failed' });
  await query(
    `insert into task_runs (run_id, task_id, iteration, status, output)
     select $1, 3, n::text, 'succeeded', '{}' from generate_series(1, 9000) n`,
    [runId],
  );
  await keep({ runs_days: 30 });
  let refusals = 0;
  await removeAll({
    sliceMs: 20_000,
    async afterBatch() {
      const why = await retryRun(ctx, { id: runId, from: 'failed_task' }).then(
        () => 'resumed',
        (error: unknown) => (error as Error).message,
      );
      if (why.includes('removed')) refusals += 1;
    },
  });
  expect(refusals).toBeGreaterThan(2);
  expect(await idsIn('task_runs')).not.toContain(runId);
  expect(await idsIn('runs')).not.toContain(runId);
});

test('messages and audit entries have their own times', async () => {
  await query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline, created_at)
     select $1, 'wamid.' || n, $1, '1', '2', 'sent', now(), '[]', now() - make_interval(days => n, hours => -1) from generate_series(1, 20) n`,
    [ctx.workspaceId],
  );
  const entry = (id: string) =>
    query(`insert into audit_entries (id, workspace_id, actor_name, action) values ($1, $2, 'a', 'a.b')`, [
      id,
      ctx.workspaceId,
    ]);
  const [old, young] = [idOf(11), idOf(9)];
  await entry(old);
  await entry(young);
  await keep({ messages_days: 5, audit_days: 10 });
  await removeAll({ rowsAtOnce: 4 });
  const messages = await query<{ id: string }>(
    'select message_id as id from sent_messages order by created_at desc',
  );
  expect(messages.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((day) => `wamid.${day}`));
  expect(await idsIn('audit_entries')).toContain(young);
  expect(await idsIn('audit_entries')).not.toContain(old);
});

test('the delivery report keeps what it counted of messages that are removed, also of those it had not counted', async () => {
  await query('truncate message_days, counted_days, counted_hours');
  await query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, status, status_at, timeline,
       created_at)
     select $1, 'wamid.' || n, $1, '1', '2', 'text', 'read', now(), '[]', now() - make_interval(hours => 5 * n) from generate_series(1, 60) n`,
    [ctx.workspaceId],
  );
  await keep({ messages_days: 5 });
  await removeAll({ rowsAtOnce: 4 });
  expect((await query('select from sent_messages')).length).toBeLessThan(30);
  for (let counts = 0; counts < 2; counts += 1) {
    await query('update counted_days set next_at = $1', [now]);
    await query('update counted_hours set next_at = $1', [now]);
    await countDueDays({ pool: ctx.db.$client, now });
    const counted = await query(
      'select sum(accepted)::int as accepted, sum(read)::int as read, count(distinct day)::int > 12 as by_day from message_days',
    );
    expect(counted).toEqual([{ accepted: 60, read: 60, by_day: true }]);
  }
});

test('keeping everything for longer again stops the removal, also of what had to stay before', async () => {
  await addSamples();
  const open = await addRun(40, { status: 'waiting' });
  await keep({ runs_days: 30 });
  await removeAll();
  await query(`update runs set status = 'succeeded' where id = $1`, [open.runId]);
  await keep({ runs_days: 60 });
  await removeAll({ now: new Date(now.getTime() + DAY_MS) });
  expect(await idsIn('runs')).toContain(open.runId);
  await removeAll({ now: new Date(now.getTime() + 21 * DAY_MS) });
  expect(await idsIn('runs')).not.toContain(open.runId);
});

test('what was to be deleted and is kept for longer in time loses its contents when they are due', async () => {
  await addSamples();
  const { runId } = await addRun(100);
  await keep({ bodies_days: 30, runs_days: 90 });
  // Killed after the first batch, which leaves to the deletion what is older than it keeps.
  const killed = removeAll({
    afterBatch() {
      throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  expect((await getRun(ctx, { id: runId })).contents_removed_at).toBeNull();
  await keep({ bodies_days: 30, runs_days: 365 });
  await removeAll();
  expect((await getRun(ctx, { id: runId })).contents_removed_at).not.toBeNull();
});

test('stored files that an event or a task links to go with it, and files of others do not', async () => {
  await addSamples();
  const day = new Date(now.getTime() - 40 * DAY_MS).toISOString().slice(0, 10);
  const [today] = now.toISOString().split('T');
  const store = (name: string, on: string): string => {
    mkdirSync(join(folder, on), { recursive: true });
    writeFileSync(join(folder, on, name), 'x');
    const file = { key: `${on}/${name}`, filename: 'a.pdf', mimeType: 'application/pdf' };
    return sealLink(ctx, file, new Date(now.getTime() - DAY_MS));
  };
  const nameOf = (letter: string): string => letter.repeat(32);
  const [form, media] = [store(nameOf('a'), day), store(nameOf('b'), day)];
  const foreign = store(nameOf('c'), today ?? '');
  await addRun(40, {
    body: JSON.stringify({ cv: { url: form }, link: foreign }),
    output: JSON.stringify({ url: media }),
  });
  await keep({ bodies_days: 30 });
  const logger = pino({ level: 'silent' });
  const settings = { store: { kind: 'folder' as const, folder }, retentionDays: 365, linkDays: 7 };
  await removeAll({ files: { media: settings, secrets: ctx.secrets, baseUrl: ctx.baseUrl, logger } });
  expect(readdirSync(join(folder, day))).toEqual([]);
  expect(readdirSync(join(folder, today ?? ''))).toEqual([nameOf('c')]);
});

test('what is overdue is seen: not the backlog of a change, but what is late after it', async () => {
  await addSamples();
  await addRun(40);
  await keep({ runs_days: 30 });
  const { $client: pool } = ctx.db;
  expect(await readOverdueSeconds(pool, new Date())).toBeLessThan(60);
  expect(await readOverdueSeconds(pool, new Date(Date.now() + 3 * DAY_MS))).toBeGreaterThan(2.9 * 86_400);
  await removeAll();
  expect(await readOverdueSeconds(pool, now)).toBe(0);
});

/** Each from the number of rows, and how many days ago they were written, a millisecond apart. */
const HISTORY = (() => {
  const at = `now() - make_interval(days => $3::int) - n * interval '1 millisecond'`;
  const id = `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
  const key = `$3::int || '-' || n`;
  return [
    `events (id, workspace_id, kind, outcome, received_at, headers, body) select ${id}, $1, 'production', 'triggered', ${at}, '{}', '{}'`,
    `runs (id, workspace_id, workflow_id, version, event_id, status, created_at) select ${id}, $1, $1, 1, ${id}, 'succeeded', ${at}`,
    `send_lists (id, workspace_id, workflow_id, name, state, columns, mapping, row_count, created_at)
     select ${id}, $1, (select id from workflows where workspace_id = $1 limit 1), 'Guests', 'ready', '[]', '{}', 0, ${at}`,
    `sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline, created_at)
     select $1, ${key}, $1, '1', '2', 'sent', ${at}, '[]', ${at}`,
    `received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, received_at)
     select $1, ${key}, $1, '2', '1', 'text', ${at}`,
    `conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id) select $1, '1', ${key}, ${at}, 'wamid'`,
    `customer_names (workspace_id, name, customer_id, business_account_id, seen_at) select $1, ${key}, ${id}, '1', ${at}`,
    `attribute_changes (workspace_id, name, attribute, type, value, at, evidence) select $1, ${key}, 'city', 'text', 'Rome', ${at}, '{}'`,
    `audit_entries (id, workspace_id, actor_name, action) select ${id}, $1, 'Kim', 'x'`,
  ];
})();
const RECENT = 12_000;
/** A few rows of it, and not the index of what is newer, of which there are more than a hundred pages. */
const FEW_PAGES = 60;

test('a short batch reads little, however much of the workspace is newer', async () => {
  const fill = async (count: number, daysAgo: number): Promise<void> => {
    for (const text of HISTORY)
      await query(`insert into ${text} from generate_series(1, $2::int) n`, [
        ctx.workspaceId,
        count,
        daysAgo,
      ]);
  };
  const { $client: pool } = ctx.db;
  await fill(5, 40);
  await fill(RECENT, 1);
  await keep({ runs_days: 30, messages_days: 30, audit_days: 30 });
  const lists = (await explainWork(pool, () => removeAll({ rowsAtOnce: 10 }))).filter(({ text }) =>
    text.includes(') oldest where'),
  );
  expect(new Set(lists.map(({ text }) => text)).size).toBe(HISTORY.length);
  const most = FEW_PAGES * (process.env['TEST_PARTITIONED'] ? 6 : 1);
  for (const { text, reads } of lists) expect(reads.buffers, text).toBeLessThan(most);
});
