// Retention removes what an older workflow left, beside a run of another one. What is to stay is compared row by row.
import { isDeepStrictEqual } from 'node:util';
import { lowestIdAt, newId } from '#lib/core/ids.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { SAMPLE_EVENTS } from '#lib/workflows/newest-events.ts';
import { listDueParts } from '#lib/workflows/retention/due-parts.ts';
import { MAX_WEIGHT } from '#lib/workflows/retention/parts.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { remember } from './parts.ts';

const DAY_MS = 86_400_000;
/** Contents are kept for a month, everything else for two. */
const [BODIES_DAYS, DAYS] = [30, 60];
const [GONE, CLEARED, YOUNG] = [100, 45, 10];

const GRAPH = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }], edges: [] };

interface OldRun {
  id: string;
  daysAgo: number;
  isOpen?: boolean;
  /** Too many for one transaction. */
  isHeavy?: boolean;
}

const idOf = (daysAgo: number): string =>
  lowestIdAt(Date.now() - daysAgo * DAY_MS).slice(0, 14) + newId().slice(14);

const oldRun = (daysAgo: number, more: Omit<OldRun, 'id' | 'daysAgo'> = {}): OldRun => ({
  id: idOf(daysAgo),
  daysAgo,
  ...more,
});

const ADD_RUN = `
with event as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
  values ($5, $1, $2, 'production', 'triggered', $4, '{"x":"y"}', '{"a":1}', $3)
), run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, resume_at)
  select $3, $1, $2, 1, $5, case when $6 then 'waiting' else 'succeeded' end, $4, case when $6 then now() + interval '1 year' end
), draft as (
  insert into draft_runs (run_id, workspace_id, workflow_id, version, options) values ($3, $1, $2, -1, '{}')
), burst as (
  insert into burst_events (run_id, place, event_id) values ($3, 1, $5)
), call as (
  insert into run_calls (run_id, workspace_id, caller_run_id, task_id, iteration, depth, is_awaited)
  values ($3, $1, gen_random_uuid(), 2, '', 1, false)
)
insert into task_runs (run_id, task_id, iteration, status, output, state)
select $3, 2, n::text, case when $6 then 'waiting' else 'succeeded' end, '{"b":2}', '{}' from generate_series(1, $7::int) n`;

const ADD_SAMPLES = `
insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
select id, $1, $2, 'production', 'not_active', now(), '{}', '{}' from unnest($3::uuid[]) id`;

/** What a workspace has besides runs: one that is due of each kind, and one that is not. */
const ADD_RECORDS = [
  `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline, created_at)
   values ($1, $3, $1, '1', '2', 'sent', $2, '[]', $2)`,
  `insert into received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, received_at)
   values ($1, $3, $1, '2', '1', 'text', $2)`,
  `insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
   values ($1, '1', $3, $2, 'wamid.w')`,
  `insert into customer_names (workspace_id, name, customer_id, business_account_id, seen_at)
   values ($1, $3, gen_random_uuid(), '1', $2)`,
  `insert into attribute_changes (workspace_id, name, attribute, type, value, at, evidence)
   values ($1, '2', $3, 'text', 'Rome', $2, '{}')`,
  `insert into audit_entries (id, workspace_id, actor_name, action)
   select (left($2::text, 14) || substr(gen_random_uuid()::text, 15))::uuid, $1, 'a', $3`,
];

const RECORDS = `
select 'message' as kind, message_id as key from sent_messages where message_id like $1
union all select 'received', message_id from received_messages where message_id like $1
union all select 'window', customer from conversation_windows where customer like $1
union all select 'name', name from customer_names where name like $1
union all select 'remembered', attribute from attribute_changes where attribute like $1
union all select 'audit', action from audit_entries where action like $1 order by 1, 2`;

const ROWS = `
select 'event' as kind, id, run_id, to_jsonb(e) as row from events e where workflow_id = $1
union all select 'run', id, id, to_jsonb(r) from runs r where workflow_id = $1
union all select 'draft', run_id, run_id, to_jsonb(d) from draft_runs d where workflow_id = $1
union all select 'burst', run_id, run_id, to_jsonb(b) from burst_events b where run_id = any($2::uuid[])
union all select 'tasks', run_id, run_id, jsonb_build_object('rows', count(*), 'outputs', count(output), 'states', count(state))
  from task_runs where run_id = any($2::uuid[]) group by run_id
order by 1, 2`;

interface StoredRow {
  kind: 'event' | 'run' | 'draft' | 'burst' | 'tasks';
  id: string;
  run_id: string | null;
  row: Record<string, unknown>;
}

/** A row as it is without its contents. */
const cleared = ({ kind, row }: StoredRow): Record<string, unknown> => {
  if (kind === 'event') return { ...row, body: null, headers: {}, body_removed_at: 'set' };
  if (kind === 'run') return { ...row, answer: null, contents_removed_at: 'set' };
  return kind === 'tasks' ? { ...row, outputs: 0, states: 0 } : row;
};

/** The instants of the removal are those of the play. */
const withoutInstants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, key.endsWith('_removed_at') && value ? 'set' : value]),
  );

/** A list of a workflow with its end and a number of rows. */
const ADD_LIST = `
with list as (
  insert into send_lists (id, workspace_id, workflow_id, name, columns, mapping, state, row_count, created_at, ended_at)
  values ($1, $2, $3, 'l', '["phone"]', '{}', 'finished', $5, $4, $4)
)
insert into send_list_rows (list_id, line, data, state) select $1, n, '["1"]', 'succeeded' from generate_series(1, $5::int) n`;
const LISTS = `
select l.id, count(r.list_id)::int as rows from send_lists l left join send_list_rows r on r.list_id = l.id
where l.workflow_id = $1 group by 1`;

/** What is too much for one transaction is only in the plays of its own statements: it is most of the rows. */
const runsOf = (isHeavy: boolean): OldRun[] =>
  isHeavy
    ? [oldRun(GONE, { isHeavy }), oldRun(CLEARED, { isHeavy })]
    : [
        oldRun(GONE),
        oldRun(GONE + 1),
        oldRun(GONE + 2, { isOpen: true }),
        oldRun(CLEARED),
        oldRun(CLEARED + 1),
        oldRun(CLEARED + 2, { isOpen: true }),
        oldRun(YOUNG),
      ];

const actWith =
  (isHeavy: boolean) =>
  async (stage: Stage): Promise<void> => {
    const { lane, id } = stage;
    const { control, workspaceId } = lane;
    const { workflowId } = await insertWorkflow(control, GRAPH, workspaceId);
    const runs = runsOf(isHeavy);
    for (const { id: runId, daysAgo, isOpen = false, isHeavy: hasMany = false } of runs)
      await control.query(ADD_RUN, [
        workspaceId,
        workflowId,
        runId,
        new Date(Date.now() - daysAgo * DAY_MS),
        idOf(daysAgo),
        isOpen,
        hasMany ? MAX_WEIGHT.rows : 2,
      ]);
    await control.query(ADD_SAMPLES, [
      workspaceId,
      workflowId,
      Array.from({ length: SAMPLE_EVENTS }, () => idOf(1)),
    ]);
    for (const [name, daysAgo] of [[`${id}-gone`, GONE] as const, [`${id}-kept`, YOUNG] as const])
      for (const text of ADD_RECORDS) {
        const at = text.includes('audit_entries') ? idOf(daysAgo) : new Date(Date.now() - daysAgo * DAY_MS);
        await control.query(text, [workspaceId, at, name]);
      }
    const youngList = idOf(YOUNG);
    for (const [listId, daysAgo] of [[idOf(GONE), GONE] as const, [youngList, YOUNG] as const])
      await control.query(ADD_LIST, [
        listId,
        workspaceId,
        workflowId,
        new Date(Date.now() - daysAgo * DAY_MS),
        isHeavy && daysAgo === GONE ? MAX_WEIGHT.rows + 1 : 2,
      ]);
    const rowsOf = async (): Promise<StoredRow[]> =>
      (await control.query<StoredRow>(ROWS, [workflowId, runs.map((run) => run.id)])).rows;
    const before = await rowsOf();
    await control.query('delete from retention_progress where workspace_id = $1', [workspaceId]);
    await control.query(
      `insert into retention_settings (workspace_id, bodies_days, runs_days, messages_days, audit_days)
     values ($1, $2, $3, $3, $3) on conflict do nothing`,
      [workspaceId, BODIES_DAYS, DAYS],
    );

    await stage.post();
    stage.startWorker();
    await removeAll(stage);
    await stage.until('over');
    // Everything is checked again, from the beginning.
    await control.query(
      `update retention_progress set done_through = null, position = $2 where workspace_id = $1`,
      [workspaceId, lowestIdAt(0)],
    );
    await removeAll(stage);
    await stage.until('over');

    const ended = new Map(runs.filter(({ isOpen }) => !isOpen).map((run) => [run.id, run.daysAgo]));
    const ageOf = ({ run_id: runId }: StoredRow): number => ended.get(runId ?? '') ?? 0;
    const expected = before
      .filter((each) => ageOf(each) < DAYS)
      .map((each) => (ageOf(each) > BODIES_DAYS ? { ...each, row: cleared(each) } : each));
    const left = (await rowsOf()).map((each) => ({ ...each, row: withoutInstants(each.row) }));
    if (!isDeepStrictEqual(left, expected))
      stage.violations.push(`retention left ${describe(left)} instead of ${describe(expected)}`);
    const records = await control.query<{ kind: string; key: string }>(RECORDS, [`${id}-%`]);
    const found = records.rows.map(({ kind, key }) => `${kind} ${key}`).join();
    const kept = ['audit', 'message', 'name', 'received', 'remembered', 'window']
      .map((kind) => `${kind} ${id}-kept`)
      .join();
    if (found !== kept) stage.violations.push(`retention left ${found} instead of ${kept}`);
    const lists = (await control.query(LISTS, [workflowId])).rows;
    if (!isDeepStrictEqual(lists, [{ id: youngList, rows: 2 }]))
      stage.violations.push(`retention left the lists ${JSON.stringify(lists)}`);
    await cleanUp(stage, workflowId);
  };

/** Has a worker look for what is due, until nothing is. */
async function removeAll(stage: Stage): Promise<void> {
  const { control } = stage.lane;
  await control.query(
    `update graphile_worker._private_jobs set run_at = now() where key = 'retention' and locked_at is null`,
  );
  await stage.waitFor(
    async () => (await listDueParts(control, new Date(), 1)).length === 0,
    'the end of retention',
  );
}

const describe = (rows: readonly StoredRow[]): string =>
  JSON.stringify(rows.map(({ kind, row }) => [kind, row]));

/** The next plays of the lane have their own history. */
async function cleanUp({ lane: { control, workspaceId } }: Stage, workflowId: string): Promise<void> {
  await control.query('delete from retention_settings where workspace_id = $1', [workspaceId]);
  await control.query('delete from send_lists where workflow_id = $1', [workflowId]);
  await control.query(
    `with gone as (delete from runs where workflow_id = $1 returning id),
      events as (delete from events where workflow_id = $1), bursts as (delete from burst_events where run_id in (select id from gone)),
      drafts as (delete from draft_runs where workflow_id = $1)
    delete from task_runs where run_id in (select id from gone)`,
    [workflowId],
  );
}

const scenario = (name: string, isHeavy: boolean): Scenario => ({
  name,
  tasks: () => [remember(2)],
  act: actWith(isHeavy),
  effects: [],
});

export const RETENTION_SCENARIOS: readonly Scenario[] = [
  scenario('retention of what is old', false),
  scenario('retention of runs with thousands of task runs', true),
];
