// What an erasure does with runs in progress and other workspaces, and that a restored backup is erased again.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { indexDue } from '#lib/events/full-text/index-due.ts';
import { switchFullTextOff, switchFullTextOn } from '#lib/events/full-text/switch.ts';
import { searchEvents } from '#lib/events/read-events.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { findBlock } from '#lib/messaging/sending/find-blocks.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { erasureFileSchema, exportErasures, importErasures } from './carry-over.ts';
import { eraseCustomer, listErasures, previewErasure } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';
import { workOffErasures } from './work-off.ts';

const NUMBER = '4917155501234';
const OTHER = '4917155505678';

let world: TestContext;
let ctx: TestContext['ctx'];
beforeAll(async () => {
  world = await createTestContext();
});
afterAll(() => world.end());
beforeEach(async () => {
  ctx = { ...world.ctx, workspaceId: await insertWorkspace() };
});

async function insertWorkspace(): Promise<string> {
  const id = newId();
  await world.ctx.db.$client.query(`insert into workspaces (id, name) values ($1, 'Erasing')`, [id]);
  return id;
}

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await ctx.db.$client.query<Row>(text, values)).rows;

const workOff = () => workOffErasures({ db: ctx.db, secrets: ctx.secrets });
const newest = async () => (await listErasures(ctx, { limit: 1 })).data[0];

/** A run of a webhook, which sent to these. */
async function insertRun(status: string, body: unknown, recipients: string[]): Promise<string> {
  const [id, eventId, workflowId] = [newId(), newId(), newId()];
  await query(
    `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
     values ($1, $2, $3, 'production', 'triggered', now(), '{}', $4, $5)`,
    [eventId, ctx.workspaceId, workflowId, Buffer.from(JSON.stringify(body)), id],
  );
  await query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at) values ($1, $2, $3, 1, $4, $5, now())`,
    [id, ctx.workspaceId, workflowId, eventId, status],
  );
  await query(
    `insert into task_runs (run_id, task_id, status, output, items) values ($1, 2, 'succeeded', $2, $3)`,
    [
      id,
      JSON.stringify({ recipients }),
      recipients.length > 1 ? JSON.stringify(recipients.map((to) => ({ to }))) : null,
    ],
  );
  for (const recipient of recipients)
    await recordSent(ctx, {
      messageId: `wamid.${newId()}`,
      connectionId: newId(),
      phoneNumberId: '1',
      recipient,
      kind: 'text',
      taskRun: { runId: id, taskId: 2, iteration: '' },
    });
  return id;
}

const statusOf = async (id: string) =>
  (await query<{ status: string }>('select status from runs where id = $1', [id]))[0]?.status;
const textOf = async (id: string) =>
  (
    await query<{ text: string }>(
      `select concat(convert_from(e.body, 'UTF8'), t.output, t.items) as text
       from runs r join events e on e.id = r.event_id join task_runs t on t.run_id = r.id where r.id = $1`,
      [id],
    )
  )[0]?.text ?? '';

test('a run in progress for the customer is cancelled and removed; one for others continues, and is cleaned when it has ended', async () => {
  const own = await insertRun('waiting', { phone: `+${NUMBER}` }, [NUMBER]);
  const list = await insertRun('running', { people: [NUMBER, OTHER] }, [NUMBER, OTHER]);
  await query(
    `insert into consent_confirmations (id, workspace_id, connection_id, phone_number_id, customer, state, text, window_closes_at)
     values ($1, $2, $1, '1', $3, 'stopped', 'No more offers.', now() + interval '1 day')`,
    [newId(), ctx.workspaceId, NUMBER],
  );
  const { id } = await eraseCustomer(ctx, { id: `+${NUMBER}` });
  // Before a worker is at it: nothing is sent any more.
  expect(await query('select from consent_confirmations where workspace_id = $1', [ctx.workspaceId])).toEqual(
    [],
  );
  const asked = { workspaceId: ctx.workspaceId, secrets: ctx.secrets };
  expect(await findBlock(ctx.db.$client, { ...asked, recipient: NUMBER, runId: list })).toMatchObject({
    isErased: true,
  });
  expect(await findBlock(ctx.db.$client, { ...asked, recipient: OTHER, runId: list })).toBeUndefined();
  expect(await eraseCustomer(ctx, { id: NUMBER })).toMatchObject({ id });

  await workOff();
  expect(await statusOf(own)).toBeUndefined();
  expect(await statusOf(list)).toBe('running');
  expect(await textOf(list)).toContain(NUMBER);
  expect(await newest()).toMatchObject({ id, finished_at: null, waiting_runs: 1 });

  await query(`update runs set status = 'succeeded' where id = $1`, [list]);
  await workOff();
  expect(await newest()).toMatchObject({ id, waiting_runs: 0, counts: { runs: 1, runs_cancelled: 1 } });
  expect((await newest())?.finished_at).not.toBeNull();
  expect(await textOf(list)).not.toContain(NUMBER);
  expect(await textOf(list)).toContain(OTHER);
  expect(await query('select from erasures where id = $1 and subject_encrypted is not null', [id])).toEqual(
    [],
  );
  // A new run may send again.
  expect(await findBlock(ctx.db.$client, { ...asked, recipient: NUMBER, runId: newId() })).toBeUndefined();
});

/** A burst of messages, from these in their order. Its run sent nothing. */
async function insertBurst(status: string, from: string[]): Promise<{ runId: string; eventIds: string[] }> {
  const runId = await insertRun(status, { from: from.at(-1), text: 'last words' }, []);
  const eventIds: string[] = [];
  for (const [place, customer] of from.entries()) {
    const isLast = place === from.length - 1;
    const [run] = await query<{ event_id: string }>('select event_id from runs where id = $1', [runId]);
    const eventId = isLast ? (run?.event_id ?? '') : newId();
    if (!isLast)
      await query(
        `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
         select $1, workspace_id, workflow_id, 'notification', 'collected', now(), '{}', $2, id from runs where id = $3`,
        [eventId, Buffer.from(JSON.stringify({ from: customer, text: 'early words' })), runId],
      );
    await query('insert into burst_events (run_id, place, event_id) values ($1, $2, $3)', [
      runId,
      place,
      eventId,
    ]);
    await query(
      `insert into received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, received_at, run_id)
       values ($1, $2, $3, $4, '1', 'text', now(), $5)`,
      [ctx.workspaceId, newId(), eventId, customer, runId],
    );
    eventIds.push(eventId);
  }
  if (status === 'queued')
    await query(
      `insert into webhook_bursts (workflow_id, key, run_id, version, opened_at, due_at, webhooks, bytes)
       select workflow_id, $2, id, 1, now(), now() + interval '1 hour', 2, 2 from runs where id = $1`,
      [runId, newId()],
    );
  if (status === 'queued') await query('update runs set line = id where id = $1', [runId]);
  return { runId, eventIds };
}

const bodiesOf = async (ids: readonly string[]) =>
  (
    await query<{ body: string | null }>(
      `select convert_from(body, 'UTF8') as body from events where id = any($1::uuid[]) order by id`,
      [ids],
    )
  ).map(({ body }) => body);

test('a burst goes with all of its messages; one with messages of others is emptied, and theirs stay', async () => {
  const own = await insertBurst('succeeded', [NUMBER, NUMBER]);
  const waiting = await insertBurst('queued', [NUMBER, NUMBER]);
  const shared = await insertBurst('succeeded', [NUMBER, OTHER]);
  await query(`update task_runs set output = '"early words"' where run_id = $1`, [shared.runId]);
  const { data } = { data: JSON.stringify(await exportCustomer(ctx, { id: NUMBER })) };
  expect(data).toContain('early words');
  expect(data).not.toContain(OTHER);
  await eraseCustomer(ctx, { id: NUMBER });
  // A step that lasts long leaves the rest to the next call.
  while (!(await newest())?.finished_at) await workOff();
  expect(await statusOf(own.runId)).toBeUndefined();
  expect(await statusOf(waiting.runId)).toBeUndefined();
  expect(await bodiesOf([...own.eventIds, ...waiting.eventIds])).toEqual([]);
  expect(await query('select from webhook_bursts where run_id = $1', [waiting.runId])).toEqual([]);
  expect(await query('select from burst_events where run_id = $1', [own.runId])).toEqual([]);
  expect(await statusOf(shared.runId)).toBe('succeeded');
  expect(await textOf(shared.runId)).not.toContain('early words');
  const left = (await bodiesOf(shared.eventIds)).join();
  expect(left).not.toContain(NUMBER);
  expect(left).toContain(OTHER);
});

test('full text forgets the body that had the number, and finds the others in it again', async () => {
  await switchFullTextOn(ctx.db);
  await insertRun('succeeded', { people: [NUMBER, OTHER] }, [NUMBER, OTHER]);
  const index = async () => {
    const patience = { settledMs: -1000, mergedMs: 0, againMs: -1000 };
    while (await indexDue({ pool: ctx.db.$client, leastNew: 1, patience }));
  };
  const postings = async () =>
    (
      await query(
        'select from full_text_postings p join full_text_segments s on s.id = p.segment_id where s.workspace_id = $1',
        [ctx.workspaceId],
      )
    ).length;
  const find = async (text: string) =>
    (await searchEvents(ctx, { text, limit: 5, hidesNumbers: false })).data.length;
  await index();
  expect(await postings()).toBeGreaterThan(0);
  expect([await find(NUMBER), await find(OTHER)]).toEqual([1, 1]);
  await eraseCustomer(ctx, { id: NUMBER });
  await workOff();
  expect(await postings()).toBe(0);
  await index();
  expect(await postings()).toBeGreaterThan(0);
  expect([await find(NUMBER), await find(OTHER)]).toEqual([0, 1]);
  await switchFullTextOff(ctx.db);
});

test('rows of lists go: one that was not started is not started any more, and the others follow', async () => {
  const [listId, workflowId] = [newId(), newId()];
  await query(
    `insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id) values ($1, $2, 'Tell', '{}', 2, 1)`,
    [workflowId, ctx.workspaceId],
  );
  await query(
    `insert into send_lists (id, workspace_id, workflow_id, name, columns, mapping, state, row_count, created_at)
     values ($1, $2, $3, $4, '["phone","friend"]', '{}', 'running', 4, now())`,
    [listId, ctx.workspaceId, workflowId, `Friends of ${NUMBER}`],
  );
  await query(
    `insert into send_list_rows (list_id, line, data, recipient, state)
     values ($1, 2, $2, $4, 'waiting'), ($1, 3, $2, $4, 'succeeded'), ($1, 4, $3, $5, 'succeeded'), ($1, 5, '["1",""]', $5, 'waiting')`,
    [listId, JSON.stringify([NUMBER, '']), JSON.stringify([OTHER, `+${NUMBER}`]), NUMBER, OTHER],
  );
  const linesLeft = async () =>
    (await query<{ line: number }>('select line from send_list_rows order by line')).map(({ line }) => line);
  expect((await previewErasure(ctx, { id: NUMBER })).counts).toMatchObject({ list_rows: 3 });
  expect((await exportCustomer(ctx, { id: NUMBER })).list_rows).toMatchObject([
    { list_id: listId, line: 2, values: [NUMBER, ''], state: 'waiting' },
    { line: 3, state: 'succeeded' },
  ]);
  await eraseCustomer(ctx, { id: NUMBER });
  expect(await linesLeft()).toEqual([3, 4, 5]);
  await workOff();
  expect(await linesLeft()).toEqual([5]);
  expect((await newest())?.counts).toMatchObject({ list_rows: 3, lists: 1 });
  const [list] = await query<{ name: string }>('select name from send_lists');
  expect(list?.name).toMatch(/^Friends of /);
  expect(list?.name).not.toContain(NUMBER);
});

test('the same number in another workspace stays', async () => {
  const run = await insertRun('succeeded', { phone: NUMBER }, [NUMBER]);
  const beside = { ...ctx, workspaceId: await insertWorkspace() };
  await expect(previewErasure(beside, { id: newId() })).rejects.toMatchObject({ code: 'not_found' });
  await eraseCustomer(beside, { id: NUMBER });
  await workOff();
  expect(await textOf(run)).toContain(NUMBER);
  expect((await listErasures(ctx, { limit: 5 })).data).toEqual([]);
});

test('an erasure that is interrupted after each step continues, and counts everything', async () => {
  await insertRun('succeeded', { phone: NUMBER }, [NUMBER]);
  await setConsent(ctx, { id: NUMBER, purpose: 'marketing', state: 'stopped', source: 'api' });
  expect(await previewErasure(ctx, { id: NUMBER })).toMatchObject({
    counts: { runs: 1, messages_sent: 1, consents: 1 },
    workflows: [],
  });
  expect(await exportCustomer(ctx, { id: NUMBER })).toMatchObject({
    names: [{ name: NUMBER }],
    messages_sent: [{ kind: 'text' }],
    runs: [{ body: JSON.stringify({ phone: NUMBER }) }],
  });
  await eraseCustomer(ctx, { id: NUMBER });
  let turns = 0;
  while (await workOffErasures({ db: ctx.db, secrets: ctx.secrets, sliceMs: 1 })) turns += 1;
  expect(turns).toBeGreaterThan(3);
  expect((await newest())?.counts).toMatchObject({
    runs: 1,
    events: 1,
    messages_sent: 1,
    names: 1,
    consents: 1,
  });
});

test('a restored backup is erased again by the hashes, and the stop still counts', async () => {
  const insert = async () => {
    const run = await insertRun('succeeded', { phone: NUMBER }, [NUMBER]);
    await setConsent(ctx, { id: NUMBER, purpose: 'all', state: 'stopped', source: 'api' });
    return run;
  };
  await insert();
  await eraseCustomer(ctx, { id: NUMBER });
  await workOff();
  const all = await exportErasures(ctx.db.$client);
  expect(JSON.stringify(all)).not.toContain(NUMBER);
  const file = erasureFileSchema.parse(JSON.parse(JSON.stringify(all)));

  // As it was before.
  for (const table of ['erased_names', 'erasure_keys', 'erasures'])
    await query(`delete from ${table} where workspace_id = $1`, [ctx.workspaceId]);
  const run = await insert();
  expect(await importErasures(ctx.db.$client, file)).toBe(1);
  expect(await importErasures(ctx.db.$client, file)).toBe(0);
  await workOff();
  expect(await statusOf(run)).toBeUndefined();
  expect(await query('select from customer_names where workspace_id = $1', [ctx.workspaceId])).toEqual([]);
  expect((await newest())?.finished_at).not.toBeNull();
  const asked = { workspaceId: ctx.workspaceId, secrets: ctx.secrets, recipient: NUMBER };
  expect(await findBlock(ctx.db.$client, asked)).toMatchObject({ stopped: 'all' });
  expect(await getConsent(ctx, { id: NUMBER })).toMatchObject({
    all: null,
    history: [],
    kept_stop: { purpose: 'all', erased_at: expect.stringMatching(/Z$/) as string },
  });
  await setConsent(ctx, { id: NUMBER, purpose: 'marketing', state: 'given', source: 'api' });
  expect(await getConsent(ctx, { id: NUMBER })).toMatchObject({ kept_stop: { purpose: 'all' } });
  expect(await setConsent(ctx, { id: NUMBER, purpose: 'all', state: 'given', source: 'api' })).toMatchObject({
    all: { state: 'given' },
    kept_stop: null,
  });
  expect(await findBlock(ctx.db.$client, asked)).toBeUndefined();
});

test('the preview names workflows whose draft or published version has the number in its settings', async () => {
  const graph = (to: string) => ({
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      { id: 2, type: 'set_variables', name: 'Who', settings: { variables: [{ name: 'to', value: to }] } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const insert = async (name: string, draft: string, published: string | null): Promise<string> => {
    const id = newId();
    await query(
      `insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id, published_version)
       values ($1, $2, $3, $4, 3, 1, $5)`,
      [id, ctx.workspaceId, name, graph(draft), published === null ? null : 2],
    );
    await query(
      `insert into workflow_versions (workflow_id, version, name, graph) values ($1, 1, $2, $3), ($1, 2, $2, $4)`,
      [id, name, graph(NUMBER), graph(published ?? OTHER)],
    );
    return id;
  };
  const draft = await insert('A', '+49 (0)171 555-01234', OTHER);
  const published = await insert('B', OTHER, NUMBER);
  await insert('Only earlier versions', OTHER, OTHER);
  await insert('Never published', OTHER, null);
  const { workflows } = await previewErasure(ctx, { id: NUMBER });
  expect(workflows).toEqual([
    { id: draft, name: 'A', tasks: ['Who'] },
    { id: published, name: 'B', tasks: ['Who'] },
  ]);
});
