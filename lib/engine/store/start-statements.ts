// The statements of start-runs.ts.
import { type ColumnTypes, namesOf, unnest } from '#lib/core/db/columns.ts';
import { addAdvanceJob } from './advance-job.ts';
import { enterBursts } from './bursts.ts';
import { hasGateSql } from './run-lines.ts';
import { insertTaskRuns } from './task-run-columns.ts';

/** Bodies and headers are sent in one binary parameter and cut by offsets: no escaping on either side. */
const ARRIVAL = {
  event_id: 'uuid',
  run_id: 'uuid',
  token_hash: 'bytea',
  kind: 'text',
  connection_id: 'uuid',
  received_at: 'timestamptz',
  headers_at: 'int',
  headers_bytes: 'int',
  body_at: 'int',
  body_bytes: 'int',
  refusal: 'text',
  response_version: 'int',
  response_problem: 'text',
} as const;
const LEG = {
  leg_status: 'text',
  leg_answer: 'text',
  leg_error: 'text',
  leg_started_at: 'timestamptz',
  leg_finished_at: 'timestamptz',
  leg_resume_at: 'timestamptz',
} as const;
const KEY = { key_hash: 'bytea', body_hash: 'bytea', key_answer: 'text' } as const;
const LINE = { line: 'uuid' } as const;
const ARRIVAL_WITH_LEG = { ...ARRIVAL, ...LEG };
const ARRIVAL_WITH_KEY = { ...ARRIVAL, ...KEY, ...LEG };
const ARRIVAL_WITH_LINE = { ...ARRIVAL, ...LEG, ...LINE };
const ARRIVAL_WITH_KEY_AND_LINE = { ...ARRIVAL_WITH_KEY, ...LINE };
const ARRIVAL_WITH_BURST = { ...ARRIVAL_WITH_KEY_AND_LINE, burst: 'uuid', quiet_ms: 'int' } as const;

const HAS_GATE = hasGateSql('w');
/** Outcomes of which nothing is written: the request is tried again. */
const IS_STORED = `outcome not in ('outdated', 'gated')`;

/**
 * SQL of which runs of a workflow with a gate are not written: all by statements that know no lines; else those whose key would be
 * claimed with the answer of a leg that may not be written.
 */
function refusedAtGate(types: ColumnTypes): string {
  if (!('line' in types)) return '';
  return 'key_hash' in types
    ? ' and a.line is null and a.key_hash is not null and a.leg_answer is not null'
    : ' and false';
}

/**
 * Decides about each request. Runs of a workflow with a gate are only written by statements that know lines: their line is the
 * workflow's id, unless they have one.
 * @param types of `arrival`; the first parameter is the binary one
 * @param name of the result
 */
const consider = (types: ColumnTypes, name: string): string => `
with arrival as (
  select * from ${unnest(types, 2)} with ordinality as t(${namesOf(types)}, place)
), ${name} as (
  select ${Object.keys(types)
    .map((column) =>
      column === 'line' ? `coalesce(a.line, case when ${HAS_GATE} then w.id end) as line` : `a.${column}`,
    )
    .join(', ')}, a.place,
    w.id as workflow_id, w.workspace_id, w.published_version, w.trigger_task_id, w.answers_after_run,
    case when a.refusal is not null then 'rejected'
      when a.kind = 'test' then 'tested'
      when w.published_version is null or not (w.active or w.holds_runs) then 'not_active'
      when a.kind = 'production' and w.published_version is distinct from a.response_version then 'outdated'
      when a.response_problem is not null then 'response_failed'
      when ${HAS_GATE}${refusedAtGate(types)} then 'gated'
      else 'triggered' end as outcome
  from arrival a
  join webhook_tokens k on k.token_hash = a.token_hash and (k.expires_at is null or k.expires_at > now())
  join workflows w on w.id = k.workflow_id and w.deleted_at is null
)`;

interface MoreOfEvents {
  /** Further columns that `admitted` has under the same names. */
  columns?: string;
  /** Further reasons, by outcome. */
  reasons?: string;
}

const insertEvents = ({ columns = '', reasons = '' }: MoreOfEvents = {}): string => `, new_events as (
  insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, reason, received_at, headers, body, run_id${columns})
  select event_id, workspace_id, workflow_id, connection_id, kind, outcome,
    case outcome when 'rejected' then refusal when 'response_failed' then response_problem when 'not_active' then
      case when published_version is null then 'The workflow is not published.' else 'The workflow is paused.' end${reasons} end,
    received_at, convert_from(substring($1::bytea from headers_at for headers_bytes), 'UTF8')::json,
    case when body_bytes >= 0 then substring($1::bytea from body_at for body_bytes) end,
    case when outcome in ('triggered', 'collected') then run_id end${columns}
  from admitted where ${IS_STORED}
)`;

/** How long a copy of an event is recognized (docs/webhooks.md, "Duplicates"). */
const KEY_LIFETIME = `interval '24 hours'`;
const IS_KEY_KNOWN = `k.received_at > now() - ${KEY_LIFETIME}`;
const CLAIM = ['body_hash', 'event_id', 'run_id', 'answer', 'received_at'];
/** Requests of these outcomes are copies where their key is known; those that are refused for their body are not. */
const MAY_BE_COPY = `c.outcome in ('triggered', 'not_active', 'response_failed')`;
const OF_WORKFLOW = [
  'place',
  'workflow_id',
  'workspace_id',
  'published_version',
  'trigger_task_id',
  'answers_after_run',
];
const columnsOf = (row: string, names: readonly string[]): string =>
  names.map((name) => `${row}.${name}`).join(', ');
const decided = (types: ColumnTypes): string =>
  columnsOf('c', [
    ...OF_WORKFLOW,
    ...Object.keys(types).filter((name) => name !== 'refusal' && !Object.hasOwn(KEY, name)),
  ]);

/**
 * Decides about requests, some of which have keys. Of those that would start a run, the first one with its key claims it: within
 * a statement the first by place, between statements the one that inserts the row. The other waits for its commit and gets its
 * row. All statements claim in one order, so that no two wait for each other. A known key is only read.
 */
const decideByKeys = (
  types: ColumnTypes,
  name: string,
): string => `${consider(types, 'considered')}, known as (
  select c.place, k.event_id, k.run_id, k.body_hash, k.answer
  from considered c
  join webhook_keys k on k.workflow_id = c.workflow_id and k.key_hash = c.key_hash and ${IS_KEY_KNOWN}
  where ${MAY_BE_COPY}
), claimed as (
  insert into webhook_keys as k (workflow_id, key_hash, ${CLAIM.join(', ')})
  select distinct on (workflow_id, key_hash) workflow_id, key_hash, body_hash, event_id, run_id, key_answer::json, received_at
  from considered
  where outcome = 'triggered' and key_hash is not null and place not in (select place from known)
  order by workflow_id, key_hash, place
  on conflict (workflow_id, key_hash) do update set
    ${CLAIM.map((name) => `${name} = case when ${IS_KEY_KNOWN} then k.${name} else excluded.${name} end`).join(', ')}
  returning k.*
), ${name} as (
  select ${decided(types)},
    f.event_id as duplicate_of, f.run_id as first_run_id, f.answer as first_answer,
    case when f.is_same then 'duplicate' when not f.is_same then 'rejected' else c.outcome end as outcome,
    case when not f.is_same then 'The key of this request was used for another body before, by event ' || f.event_id ||
      '. Send a new event with its own key, or the first body unchanged.' else c.refusal end as refusal
  from considered c
  left join lateral (
    select event_id, run_id, answer, body_hash = c.body_hash as is_same from known where place = c.place
    union all
    select event_id, run_id, answer, body_hash = c.body_hash from claimed k
    where k.workflow_id = c.workflow_id and k.key_hash = c.key_hash and k.event_id <> c.event_id
  ) f on ${MAY_BE_COPY}
)`;
const insertEventsByKeys = insertEvents({
  columns: ', duplicate_of',
  reasons: ` when 'duplicate' then 'It is a copy of an event that was received before.'`,
});
const admitByKeys = `${decideByKeys(ARRIVAL_WITH_KEY, 'admitted')}${insertEventsByKeys}`;

/**
 * Adds the runs that start to their lines, in the order of their requests. Keys are claimed before, as this locks lines. Of a run
 * that is not the first in its line, the leg is not written: a worker executes it when it has its turn.
 * @param waits column of those that enter their line later
 */
const enterLines = (
  from: string,
  names: readonly string[],
  waits?: string,
): string => `, entered as materialized (
  select e.run_id, e.has_turn from (
    select array_agg(run_id order by place) as run_ids, array_agg(workflow_id order by place) as workflow_ids,
      array_agg(line order by place) as lines, array_agg(leg_finished_at is not null order by place) as passes
    from ${from} where outcome = 'triggered' and line is not null${waits ? ` and not ${waits}` : ''} having count(*) > 0
  ) a cross join lateral enter_lines(a.run_ids, a.workflow_ids, a.lines, a.passes, false) e
), admitted as (
  select ${columnsOf('d', [...OF_WORKFLOW, ...names, 'outcome', 'refusal', 'line'])}, coalesce(e.has_turn, ${waits ? `not d.${waits}` : 'true'}) as has_turn,
    ${Object.keys(LEG)
      .map((name) => `case when e.has_turn is not false then d.${name} end as ${name}`)
      .join(', ')}
  from ${from} d left join entered e on e.run_id = d.run_id
)`;
const NAMES_OF_ARRIVAL = Object.keys(ARRIVAL).filter((name) => name !== 'refusal');
const OF_COPY = ['duplicate_of', 'first_run_id', 'first_answer'];

const RUN_NAMES = 'id, workspace_id, workflow_id, version, event_id, awaited, created_at';
const RUN_VALUES = `run_id, workspace_id, workflow_id, published_version, event_id, answers_after_run,
    received_at`;
const ANSWER = 'place::int, outcome, trigger_task_id, published_version is not null as is_published';
const ANSWER_BY_KEYS = `${ANSWER}, duplicate_of, first_run_id, refusal,
  case outcome when 'duplicate' then coalesce(first_answer, (select r.answer from runs r where r.id = first_run_id)) end as first_answer`;

/** SQL: the workspace of all rows of a group; null: they are of several. */
const ONLY_WORKSPACE = 'case when count(distinct workspace_id) = 1 then (array_agg(workspace_id))[1] end';

const START = `${consider(ARRIVAL, 'admitted')}${insertEvents()}, new_runs as (
  insert into runs (${RUN_NAMES}) select ${RUN_VALUES} from admitted where outcome = 'triggered'
), jobs as (
  select ${addAdvanceJob('json_agg(run_id)', { workspaceId: ONLY_WORKSPACE })} as job
  from admitted where outcome = 'triggered' having count(*) > 0
)
select ${ANSWER}, (select count(job) from jobs) as jobs from admitted`;

/** Failed runs are recorded for alerts (lib/alerts). */
const NOTED = `, noted as (
  insert into failed_runs (run_id, workspace_id, workflow_id, failed_at)
  select run_id, workspace_id, workflow_id, coalesce(leg_finished_at, now())
  from admitted where outcome = 'triggered' and leg_status = 'failed'
)`;

/**
 * A leg counts as the first take of its run: the worker that resumes it loads what the leg wrote.
 * @param hasLines of `enterLines`
 */
const startWithLegs = (
  admit: string,
  types: ColumnTypes,
  answer = ANSWER,
  hasLines = false,
): string => `${admit}, new_runs as (
  insert into runs (${RUN_NAMES}, ${hasLines ? 'line, ' : ''}status, epoch, answer, error, started_at, finished_at, resume_at)
  select ${RUN_VALUES}, ${hasLines ? 'line, ' : ''}coalesce(leg_status, 'queued'), (leg_status is not null)::int, leg_answer::json, leg_error::json,
    leg_started_at, leg_finished_at, leg_resume_at
  from admitted where outcome = 'triggered'
), new_task_runs as (
  ${insertTaskRuns(2 + Object.keys(types).length)}
  where (t.run_id in (select run_id from admitted where outcome = 'triggered'${hasLines ? ' and has_turn' : ''})) is true
), jobs as (
  select ${addAdvanceJob('json_agg(run_id)', { workspaceId: ONLY_WORKSPACE })} as job
  from admitted where outcome = 'triggered' and leg_status is null${hasLines ? ' and has_turn' : ''} having count(*) > 0
), timers as (
  select ${addAdvanceJob('json_build_array(run_id)', { runAt: 'leg_resume_at' })} as job
  from admitted where outcome = 'triggered' and leg_resume_at is not null
)
select ${answer}, (select count(job) from jobs) + (select count(job) from timers) as jobs from admitted`;

/** A statement that writes a batch, and the types of its arrivals. */
export interface StartStatement {
  name: string;
  text: string;
  types: ColumnTypes;
  hasLegs: boolean;
  hasKeys: boolean;
  hasLines?: true;
}

const admitLegs = `${consider(ARRIVAL_WITH_LEG, 'admitted')}${insertEvents()}`;

/** No request has a first leg or a key. */
export const START_RUNS: StartStatement = {
  name: 'start_runs',
  text: START,
  types: ARRIVAL,
  hasLegs: false,
  hasKeys: false,
};

export const START_WITH_LEGS: StartStatement = {
  name: 'start_runs_with_legs',
  text: startWithLegs(admitLegs, ARRIVAL_WITH_LEG),
  types: ARRIVAL_WITH_LEG,
  hasLegs: true,
  hasKeys: false,
};

/** A leg failed. */
export const START_WITH_FAILED_LEGS: StartStatement = {
  ...START_WITH_LEGS,
  name: 'start_runs_with_failed_legs',
  text: startWithLegs(`${admitLegs}${NOTED}`, ARRIVAL_WITH_LEG),
};

/** A request has a key; any may have legs. */
export const START_BY_KEYS: StartStatement = {
  name: 'start_runs_by_keys',
  text: startWithLegs(`${admitByKeys}${NOTED}`, ARRIVAL_WITH_KEY, ANSWER_BY_KEYS),
  types: ARRIVAL_WITH_KEY,
  hasLegs: true,
  hasKeys: true,
};

/** A run has a line; any request may have a leg. */
export const START_IN_LINES: StartStatement = {
  name: 'start_runs_in_lines',
  text: startWithLegs(
    `${consider(ARRIVAL_WITH_LINE, 'decided')}${enterLines('decided', NAMES_OF_ARRIVAL)}${insertEvents()}${NOTED}`,
    ARRIVAL_WITH_LINE,
    `${ANSWER}, has_turn`,
    true,
  ),
  types: ARRIVAL_WITH_LINE,
  hasLegs: true,
  hasKeys: false,
  hasLines: true,
};

/** A run has a line, and a request a key. */
export const START_BY_KEYS_IN_LINES: StartStatement = {
  name: 'start_runs_by_keys_in_lines',
  text: startWithLegs(
    `${decideByKeys(ARRIVAL_WITH_KEY_AND_LINE, 'decided')}${enterLines('decided', [...NAMES_OF_ARRIVAL, ...OF_COPY])}${insertEventsByKeys}${NOTED}`,
    ARRIVAL_WITH_KEY_AND_LINE,
    `${ANSWER_BY_KEYS}, has_turn`,
    true,
  ),
  types: ARRIVAL_WITH_KEY_AND_LINE,
  hasLegs: true,
  hasKeys: true,
  hasLines: true,
};

const OF_GATHERED = columnsOf('d', [
  ...OF_WORKFLOW,
  ...NAMES_OF_ARRIVAL.filter((name) => name !== 'run_id'),
  ...Object.keys(LEG),
  'refusal',
  'duplicate_of',
  'first_answer',
]);

/** A webhook belongs to a burst; any may have a key, a line or a leg. */
export const START_IN_BURSTS: StartStatement = {
  name: 'start_runs_in_bursts',
  text: startWithLegs(
    `${decideByKeys(ARRIVAL_WITH_BURST, 'decided')}${enterBursts('decided', 'gathered', OF_GATHERED)}${enterLines('gathered', [...NAMES_OF_ARRIVAL, ...OF_COPY], 'is_in_burst')}${insertEventsByKeys}${NOTED}`,
    ARRIVAL_WITH_BURST,
    `${ANSWER_BY_KEYS}, has_turn, run_id, (select count(job) from burst_jobs) as burst_jobs`,
    true,
  ),
  types: ARRIVAL_WITH_BURST,
  hasLegs: true,
  hasKeys: true,
  hasLines: true,
};

/** Keys that are not known any more, without those that a request is claiming again. */
export const PRUNE_KEYS = `
delete from webhook_keys where (workflow_id, key_hash) in (
  select workflow_id, key_hash from webhook_keys where received_at < now() - ${KEY_LIFETIME} for update skip locked)`;
