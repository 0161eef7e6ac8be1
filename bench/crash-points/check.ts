// The invariants after every play, checked against the database and the logs of the called services.
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';
import { digitsOf, type Effect, lettersOf, markOf } from './scenario.ts';
import type { Stage } from './stage.ts';

interface RunRow {
  id: string;
  status: RunStatus;
  error: unknown;
  awaited: boolean;
  has_answer: boolean;
  /** The marker of the body: the text of a notification. */
  mark: string;
}

interface TaskRunRow {
  run_id: string;
  task_id: number;
  iteration: string;
  status: TaskRunStatus;
}

export interface Verdict {
  violations: string[];
  runs: number;
  succeeded: number;
  flagged: number;
}

const RUNS = `
select r.id, r.status, r.error, r.awaited, r.answer is not null as has_answer,
  coalesce(b.body ->> 'mark', b.body ->> 'text', '') as mark
from runs r join events e on e.id = r.event_id cross join lateral (select convert_from(e.body, 'UTF8')::json as body) as b
where r.workflow_id = $1`;

/** Events that do not have exactly one run; a rerun adds one, and those of a burst share theirs. */
const WRONG_EVENTS = `
select e.id, count(distinct r.id)::int as runs from events e
left join runs r on r.id = e.run_id or (r.event_id = e.id and r.retry_of is null)
where e.workflow_id = $1 and e.outcome in ('triggered', 'collected')
group by e.id having count(distinct r.id) <> 1`;

/** Bursts that still wait, and those whose run has begun and does not have all of their events, or not the last one as its own. */
const WRONG_BURSTS = `
select r.id as run_id from runs r join burst_events b on b.run_id = r.id left join events e on e.id = b.event_id
where r.workflow_id = $1 group by r.id
having bool_or(e.run_id is distinct from r.id) or count(distinct b.event_id) <> count(*)
  or count(*) <> (select count(*) from events o where o.workflow_id = $1 and o.run_id = r.id)
  or (r.started_at is not null and r.event_id <> (array_agg(b.event_id order by b.place desc))[1])
union all
select run_id from webhook_bursts where workflow_id = $1`;

/** Task runs that called a workflow twice, or whose called run has not ended. */
const WRONG_CALLS = `
select c.caller_run_id as run_id, c.task_id, count(*)::int as calls,
  count(*) filter (where r.status not in ('succeeded', 'failed', 'cancelled'))::int as open
from run_calls c join runs r on r.id = c.run_id where c.caller_run_id = any($1::uuid[])
group by c.caller_run_id, c.task_id, c.iteration
having count(*) > 1 or bool_or(r.status not in ('succeeded', 'failed', 'cancelled'))`;

/** Succeeded tasks whose number of recorded messages is wrong. */
const WRONG_RECORDS = `
select t.run_id, t.task_id, t.iteration, count(s.message_id)::int as records
from unnest($2::int[], $3::int[]) as sender(task_id, messages)
join task_runs t on t.run_id = any($1::uuid[]) and t.task_id = sender.task_id and t.status = 'succeeded'
left join sent_messages s on s.run_id = t.run_id and s.task_id = t.task_id and s.iteration = t.iteration
group by t.run_id, t.task_id, t.iteration, sender.messages having count(s.message_id) <> sender.messages`;

export async function check(stage: Stage): Promise<Verdict> {
  const { scenario, workflow, lane, director } = stage;
  const rowsOf = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    (await lane.control.query<Row>(text, values)).rows;
  const violations = [...stage.violations];
  const runs = await rowsOf<RunRow>(RUNS, [workflow.workflowId]);
  const runIds = runs.map(({ id }) => id);
  const taskRuns = await rowsOf<TaskRunRow>(
    'select run_id, task_id, iteration, status from task_runs where run_id = any($1::uuid[])',
    [runIds],
  );
  const flagged = taskRuns.filter(({ status }) => status === 'outcome_unknown');
  const isFlagged = new Set(flagged.map(({ run_id }) => run_id));
  const wasStruck = director.happened.length > 0;

  const wrongEvents = await rowsOf<{ id: string; runs: number }>(WRONG_EVENTS, [workflow.workflowId]);
  for (const { id, runs: count } of wrongEvents) violations.push(`event ${id} has ${count} runs`);
  for (const { eventId } of stage.acknowledged) {
    const found = await rowsOf(
      'select from events e join runs r on r.event_id = e.id or r.id = e.run_id where e.id = $1',
      [eventId],
    );
    if (found.length === 0) violations.push(`the acknowledged event ${eventId} has no run`);
  }
  const bursts = await rowsOf<{ run_id: string }>(WRONG_BURSTS, [workflow.workflowId]);
  for (const { run_id: id } of bursts) violations.push(`the burst of run ${id} is wrong, or still waits`);
  const ends = [...(scenario.ends ?? ['succeeded']), ...(wasStruck ? (scenario.mayEnd ?? []) : [])];
  for (const { id, status, error, awaited, has_answer } of runs) {
    if (!ends.includes(status) && !(status === 'failed' && isFlagged.has(id)))
      violations.push(`run ${id} is ${status}: ${JSON.stringify(error)}`);
    if (awaited && !has_answer) violations.push(`the caller of run ${id} got no answer`);
  }
  if (flagged.length > 0 && !scenario.isResolvedByPerson && !mayFlag(stage))
    violations.push('a task run was flagged although no process was lost');
  if (!scenario.isResolvedByPerson) {
    const changed = await rowsOf<{ task_id: number; iteration: string; before: string; after: string }>(
      'select task_id, iteration, before, after from changed_after_end where run_id = any($1::uuid[])',
      [runIds],
    );
    for (const { task_id, iteration, before, after } of changed)
      violations.push(`task ${task_id}@${iteration} was ${before} and became ${after}`);
  }
  const together = await rowsOf<{ run_id: string; other_id: string }>(
    'select run_id, other_id from begun_together where run_id = any($1::uuid[])',
    [runIds],
  );
  for (const { run_id, other_id } of together)
    violations.push(`run ${run_id} was executed before run ${other_id} of its line had ended`);
  const { rowCount: left } = await lane.control.query(
    ['run_lines', 'run_gates', 'workspace_gates']
      .map((table) => `select from ${table} where run_id = any($1::uuid[])`)
      .join(' union all '),
    [runIds],
  );
  const wrongCalls = await rowsOf<{ run_id: string; task_id: number; calls: number; open: number }>(
    WRONG_CALLS,
    [runIds],
  );
  for (const { run_id, task_id, calls, open } of wrongCalls)
    violations.push(`task ${task_id} of run ${run_id} called ${calls} runs, ${open} of them are open`);
  if (left !== 0) violations.push(`${left} runs are left in their lines or at gates`);
  const senders = scenario.effects.filter(({ journal }) => journal === 'messages');
  if (!scenario.isResolvedByPerson && !scenario.isCaptured) {
    const wrong = await rowsOf<TaskRunRow & { records: number }>(WRONG_RECORDS, [
      runIds,
      senders.map(({ taskId }) => taskId),
      senders.map(({ messages }) => messages ?? 1),
    ]);
    for (const { task_id, iteration, records } of wrong)
      violations.push(`task ${task_id}@${iteration} has ${records} messages on record`);
  }
  violations.push(...(await checkEffects(stage, runs, taskRuns)));
  const succeeded = runs.filter(({ status }) => status === 'succeeded').length;
  return { violations, runs: runs.length, succeeded, flagged: flagged.length };
}

/** No outcome is unknown unless the process that worked on it was cut off. */
const mayFlag = ({ director }: Stage): boolean =>
  director.happened.some(
    ({ strike, operation }) => strike !== 'pauses' && (strike !== 'breaks' || operation.includes('/')),
  );

/** Each success took effect, each effect belongs to a success or an unknown outcome, and nothing took effect twice. */
async function checkEffects(
  stage: Stage,
  runs: readonly RunRow[],
  taskRuns: readonly TaskRunRow[],
): Promise<string[]> {
  const { scenario } = stage;
  const violations: string[] = [];
  const journals = await readJournals(stage, scenario.effects);
  const marks = new Map(runs.map(({ id, mark }) => [id, mark]));
  for (const { taskId, journal, repeats } of scenario.effects) {
    /** Reruns share their event, and with it its marker. */
    const byMark = new Map<string, TaskRunStatus[]>();
    for (const { run_id, task_id, iteration, status } of taskRuns) {
      if (task_id !== taskId) continue;
      const mark = markOf(marks.get(run_id) ?? '', taskId, iteration);
      byMark.set(mark, [...(byMark.get(mark) ?? []), status]);
    }
    const prefix = new RegExp(`${stage.id}x\\d+_t${taskId}_i\\d*_`, 'g');
    const happened = new Map<string, number>();
    for (const entry of journals[journal])
      for (const mark of new Set(entry.match(prefix))) happened.set(mark, (happened.get(mark) ?? 0) + 1);
    for (const mark of new Set([...byMark.keys(), ...happened.keys()])) {
      const statuses = byMark.get(mark) ?? [];
      const times = happened.get(mark) ?? 0;
      const succeeded = scenario.isCaptured ? 0 : statuses.filter((status) => status === 'succeeded').length;
      const unknown = statuses.filter((status) => status === 'outcome_unknown').length;
      const tolerance = scenario.isResolvedByPerson ? 1 : 0;
      if (times < succeeded - tolerance) violations.push(`${mark} succeeded and happened ${times} times`);
      if (times > succeeded + unknown + tolerance && !(repeats && succeeded > 0))
        violations.push(`${mark} happened ${times} times and is ${statuses.join() || 'not on record'}`);
    }
  }
  return violations;
}

async function readJournals(
  { lane, recipient, id }: Stage,
  effects: readonly Effect[],
): Promise<Record<Effect['journal'], string[]>> {
  const uses = (journal: Effect['journal']): boolean => effects.some((effect) => effect.journal === journal);
  const messages = uses('messages') ? await lane.messagesTo(recipient) : [];
  return {
    messages: messages.map(({ payload }) => JSON.stringify(payload)),
    service: uses('service') ? lane.service.requests.filter((request) => request.includes(`${id}x`)) : [],
    templates: uses('templates')
      ? (await lane.templatesNamed(lettersOf(`${id}x`))).map((name) => markOf(digitsOf(name), 2, ''))
      : [],
  };
}
