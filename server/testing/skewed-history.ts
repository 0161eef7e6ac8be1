// A realistic history: almost all of it belongs to two busy workflows, besides many quiet ones, in the order of ids. For tests
// and for the bench of the lists.
import type { Queryable } from '#lib/core/db/client.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { lowestIdAt, newId } from '#lib/core/ids.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';

export interface SkewedWorkflows {
  busyIds: string[];
  quietIds: string[];
}

const STEP_MS = 100;

const newWorkflow = (name: string) => ({
  name,
  tasks: [
    { id: 1, type: 'inbound_webhook', settings: {} },
    { id: 2, type: 'set_variables', settings: { variables: [{ name: 'order', value: '{{task_1_order}}' }] } },
  ],
  edges: [{ from: 1, to: 2 }],
});

/** Two busy workflows and this many quiet ones, published. */
export async function createSkewedWorkflows(ctx: ActorContext, quietCount: number): Promise<SkewedWorkflows> {
  const create = async (name: string): Promise<string> => {
    const { id } = await createWorkflow(ctx, newWorkflow(name));
    await publishWorkflow(ctx, { id });
    return id;
  };
  const workflows: SkewedWorkflows = { busyIds: [], quietIds: [] };
  for (let n = 1; n <= 2; n += 1) workflows.busyIds.push(await create(`Busy ${n}`));
  for (let n = 1; n <= quietCount; n += 1) workflows.quietIds.push(await create(`Quiet ${n}`));
  return workflows;
}

/** An id whose first digits are the milliseconds. */
const idAt = (digit: 0 | 1): string =>
  `(lpad(to_hex(ms), 12, '0') || '7000800${digit}' || lpad(to_hex(n), 12, '0'))::uuid`;

const BODY = `'{"order":' || n || ',"phone":"49170555' || 1000 + n % 9000 || '","note":"' || repeat('x ', 300) || '"}'`;

/** `$2`: the workflows, in turn. One event in a hundred was rejected, and one in a thousand of the others was replayed. */
const eventsSql = (body: string): string => `
insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id, replay_of)
select ${idAt(0)}, $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], 'production',
  case when n % 100 = 7 then 'rejected' else 'triggered' end, to_timestamp(ms / 1000.0), '{"host":"shop.example"}',
  convert_to(${body}, 'UTF8'),
  case when n % 100 <> 7 then ${idAt(1)} end,
  case when n % 1000 = 1 then ${idAt(0)} end
from generate_series($3::int, $4::int) n cross join lateral (select $5::bigint + n::bigint * ${STEP_MS} as ms) at`;

/** One run in fifty failed, one in 200 was cancelled, and some of the oldest wait. None is queued or running. */
const RUNS = `
insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, started_at, finished_at, resume_at)
select e.run_id, e.workspace_id, e.workflow_id, 1, e.id, s.status, e.received_at, e.received_at,
  case when s.status <> 'waiting' then e.received_at end,
  case when s.status = 'waiting' then e.received_at + interval '1 year' end
from events e
cross join lateral (select ('x' || right(e.id::text, 7))::bit(28)::int as n) place
cross join lateral (
  select case when n % 50 = 0 then 'failed' when n % 200 = 1 then 'cancelled' when n <= 500 then 'waiting'
    else 'succeeded' end as status
) s
where e.workspace_id = $1 and e.run_id is not null and e.id >= $2 and e.id < $3
order by e.id`;

/** In one run in 70 a message failed. */
const UNDELIVERED = `
insert into undelivered_runs (run_id, workspace_id, workflow_id, message_id)
select r.id, r.workspace_id, r.workflow_id, 'wamid.' || n from runs r
cross join lateral (select ('x' || right(r.id::text, 7))::bit(28)::int as n) place
where r.workspace_id = $1 and n % 70 = 0 and r.id >= $2 and r.id < $3`;

/**
 * Of each run, as large as those of a workflow with variables: vacuum offers the rest of each page to later rows, and where that
 * is larger than most rows are, later runs go to old pages all over the table. The output of the trigger is the event's body.
 */
const TASK_RUNS = `
insert into task_runs (run_id, task_id, status, run_text, output, started_at, finished_at)
select r.id, task, 'succeeded',
  case when task > 1 then 'Set 1 variable.' else 'Inbound data was received and processed successfully.' end,
  case when task > 1 then '{"text":"' || repeat('y', 30 * (task - 1)) || '"}' end,
  r.created_at, r.created_at
from runs r cross join generate_series(1, $4::int) task
where r.workspace_id = $1 and r.id >= $2 and r.id < $3
order by r.id, task`;

/**
 * Events number `first` to `last` of some workflows, and their runs: one every 100 ms from `startMs` on. @param body SQL of a text
 * by the number `n`
 * @param taskRuns of each run; left out: none
 */
export async function insertHistory(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  {
    workflowIds,
    first,
    last,
    startMs,
    body = BODY,
    taskRuns = 0,
  }: {
    workflowIds: string[];
    first: number;
    last: number;
    startMs: number;
    body?: string;
    taskRuns?: number;
  },
): Promise<void> {
  const span = [first, last + 1].map((number) => lowestIdAt(startMs + number * STEP_MS));
  await db.$client.query(eventsSql(body), [workspaceId, workflowIds, first, last, startMs]);
  await db.$client.query(RUNS, [workspaceId, ...span]);
  await db.$client.query(UNDELIVERED, [workspaceId, ...span]);
  if (taskRuns > 0) await db.$client.query(TASK_RUNS, [workspaceId, ...span, taskRuns]);
}

/** The instant after event number `count`: milliseconds since 1970. */
export const endOfHistory = (startMs: number, count: number): number => startMs + (count + 1) * STEP_MS;

/** Audit entries and API keys of a workspace. */
export async function insertAuditEntries(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  count: number,
): Promise<void> {
  await db.$client.query(
    `insert into audit_entries (id, workspace_id, actor_name, action)
    select ($2 || left(md5($1::uuid::text), 4) || lpad(to_hex(n), 8, '0'))::uuid, $1::uuid, 'owner@example.com', 'workflow.published'
    from generate_series(1, $3::int) n`,
    [workspaceId, newId().slice(0, 24), count],
  );
}

/**
 * Customers of both workspaces, each with a number and a user id, of whom every second wrote; and for the first one of the
 * workspace one message in each direction for each of the others, half of them of its runs; each received one has its own word. @returns the id of that one
 */
export async function insertCustomers(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  stranger: Pick<Context, 'workspaceId'>,
  count: number,
): Promise<string> {
  const pool = db.$client;
  for (const id of [workspaceId, stranger.workspaceId])
    await pool.query(
      `insert into customer_names (workspace_id, name, customer_id, business_account_id, learned_at, seen_at, profile_name)
      select $1::uuid, name, md5($1::uuid::text || n)::uuid, '1', '2020-01-01', now() - make_interval(secs => n / 5),
        case when n % 2 = 0 then (array['Anna Example', 'Dr. Anna', 'Kim'])[1 + n % 3] end
      from generate_series(1, $2::int) n
      cross join lateral (values ((4915000000000 + n)::text), ('US.1349A' || n)) as names(name)`,
      [id, count],
    );
  await pool.query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline,
      run_id, created_at)
    select $1::uuid, 'wamid.' || row_number() over (), $1::uuid, '1', '4915000000001', 'sent', now(), '[]', r.id, r.created_at
    from runs r where r.workspace_id = $1 order by r.id limit $2`,
    [workspaceId, count],
  );
  await pool.query(
    `insert into received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, run_id, received_at)
    select $1, 'wamid.in.' || row_number() over (), e.id, '4915000000001', '1', 'text', e.run_id, e.received_at
    from events e where e.workspace_id = $1 order by e.id limit $2`,
    [workspaceId, count],
  );
  await pool.query(
    `insert into received_words (event_id, workspace_id, words)
    select m.event_id, m.workspace_id, array(select right($1::text, 6) || '.' || floor(extract(epoch from m.received_at) / 604800) || '.' || word
      from unnest(array['note', replace(m.message_id, 'wamid.in.', 'nr')]) word)
    from received_messages m where m.workspace_id = $1::uuid`,
    [workspaceId],
  );
  const { rows } = await pool.query<{ id: string }>(
    `select customer_id as id from customer_names where workspace_id = $1 and name = '4915000000001'`,
    [workspaceId],
  );
  return rows[0]?.id ?? '';
}

/** Statistics stay as the test makes them. Options are those of partitions where a table has any. */
export async function withoutAutovacuum(db: Queryable, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await db.query<{ name: string }>(
      'select relid::text as name from pg_partition_tree($1) where isleaf',
      [table],
    );
    for (const name of rows.length === 0 ? [table] : rows.map((row) => row.name))
      await db.query(`alter table ${name} set (autovacuum_enabled = false)`);
  }
}
