// What must hold of holds and stops: read from the database, from what triggers of it recorded, and from the platform's journal.
import type { Product } from '../product.ts';
import { settles, STUCK_RUNS } from '../check.ts';
import { checkReport } from '../check-report.ts';
import { openQueries } from '../open-queries.ts';
import { untilItWorks } from '../until-it-works.ts';
import { MESSAGES_OF_A_RUN } from './workflows.ts';

export interface CustomerVerdict {
  acknowledged: number;
  /** Acknowledged webhooks without a run. */
  lost: number;
  /** Events with several runs, and messages that were sent several times. */
  doubled: number;
  /** Runs that have not ended. */
  stuck: number;
  stuckRuns: unknown[];
  flagged: number;
  /** Messages that left although a hold or a stop was committed before the record that they are about to be sent. */
  left: number;
  /** Messages that left after the commit of a hold or a stop, because their record was older. */
  underWay: number;
  /** Messages that were not sent, without a reason on record; and those that were sent and say that they were not. */
  unexplained: number;
  /** Runs that waited for the end of a hold, and did not send then, nor say why. */
  lostWaits: number;
  /** Groups of the delivery report that differ from the messages themselves. */
  miscounted: number;
  problems: unknown[];
  messages: number;
  waited: number;
  held: number;
  stopped: number;
  changes: number;
}

/**
 * Notes what is true of customers when, in the transactions that change it. A transaction that the snapshot of a statement sees was
 * committed before that statement began.
 */
const TRIGGERS = `
create table chaos_changes (id bigint generated always as identity, name text, kind text, blocks boolean, xid xid8, at timestamptz);
create table chaos_records (id bigint generated always as identity, run_id uuid, task_id int, snapshot pg_snapshot, at timestamptz);
create table chaos_waits (run_id uuid, task_id int);
create function chaos_note_hold() returns trigger language plpgsql as $$ begin
  insert into chaos_changes (name, kind, blocks, xid, at)
  values (new.name, 'hold', new.until is null, pg_current_xact_id(), clock_timestamp());
  return null;
end $$;
create function chaos_note_consent() returns trigger language plpgsql as $$ begin
  if new.purpose = 'all' then
    insert into chaos_changes (name, kind, blocks, xid, at)
    values (new.name, 'stop', new.state = 'stopped', pg_current_xact_id(), clock_timestamp());
  end if;
  return null;
end $$;
create function chaos_note_record() returns trigger language plpgsql as $$ begin
  insert into chaos_records (run_id, task_id, snapshot, at) values (new.run_id, new.task_id, pg_current_snapshot(), clock_timestamp());
  return null;
end $$;
create function chaos_note_wait() returns trigger language plpgsql as $$ begin
  insert into chaos_waits values (new.run_id, new.task_id);
  return null;
end $$;
create trigger chaos_holds after insert or update on customer_holds for each row execute function chaos_note_hold();
create trigger chaos_consents after insert or update on customer_consents for each row execute function chaos_note_consent();
create trigger chaos_records after insert or update on task_runs for each row when (new.state like '%in_flight%')
  execute function chaos_note_record();
create trigger chaos_waits after insert on signal_waits for each row when (new.key like 'customer:hold:%')
  execute function chaos_note_wait()`;

/** Before the first webhook. */
export const watchChanges = ({ db }: Pick<Product, 'db'>): Promise<unknown> => db.$client.query(TRIGGERS);

interface Sent {
  text: string;
  accepted_at_ms: number;
}

/** @param eventIds acknowledged webhooks */
export async function checkCustomers(
  product: Pick<Product, 'db' | 'calls'>,
  eventIds: readonly string[],
): Promise<CustomerVerdict> {
  const { rowsOf, count, countOpen, countLost, countDoubled } = openQueries(product);
  await settles(countOpen);
  const journal = await untilItWorks(() =>
    product.calls.control<{ data: Sent[] }>('GET', 'messages?direction=out'),
  );
  const sent = journal.data.flatMap(({ text, accepted_at_ms }) => {
    const code = /C-\d+\.\d+/.exec(text)?.[0];
    return code === undefined ? [] : [{ code, at: accepted_at_ms }];
  });
  const values = [sent.map(({ code }) => code), sent.map(({ at }) => at)];
  const outcomes = await rowsOf<Outcome>(OUTCOMES, [...values, MESSAGES_OF_A_RUN]);
  const leaves = await rowsOf<{ code: string; is_younger: boolean }>(LEAVES, values);
  const unexplained = outcomes.filter((each) => !isExplained(each));
  const lostWaits = outcomes.filter((each) => each.waited && !isOver(each));
  const left = leaves.filter(({ is_younger }) => is_younger);
  const byCode = (code: string): number => outcomes.filter((each) => each.code === code).length;
  return {
    acknowledged: eventIds.length,
    lost: await countLost(eventIds),
    doubled: (await countDoubled()) + (sent.length - new Set(sent.map(({ code }) => code)).size),
    stuck: await countOpen(),
    stuckRuns: await rowsOf(STUCK_RUNS),
    flagged: outcomes.filter(({ status }) => status === 'outcome_unknown').length,
    left: left.length,
    underWay: leaves.length - left.length,
    unexplained: unexplained.length,
    lostWaits: lostWaits.length,
    miscounted: await checkReport(product),
    problems: [...left, ...unexplained, ...lostWaits].slice(0, 20),
    messages: sent.length,
    waited: outcomes.filter(({ waited }) => waited).length,
    held: byCode('customer_on_hold'),
    stopped: byCode('customer_stopped'),
    changes: await count('chaos_changes'),
  };
}

interface Outcome {
  message: string;
  status: string | null;
  /** Of its error. */
  code: string | null;
  sent: number;
  waited: boolean;
}

const isOver = ({ status }: Outcome): boolean =>
  status !== null && status !== 'waiting' && status !== 'running';

/** A message was sent and its task succeeded, or was not sent and says why; or its outcome is unknown. */
const isExplained = ({ status, code, sent }: Outcome): boolean => {
  if (status === 'outcome_unknown') return true;
  if (sent > 0) return status === 'succeeded';
  return status === 'failed' && (code === 'customer_on_hold' || code === 'customer_stopped');
};

const SENT = 'unnest($1::text[], $2::float8[]) as s(code, at_ms)';
const WEBHOOKS = `select r.id as run_id, convert_from(e.body, 'UTF8')::json ->> 'id' as id,
  convert_from(e.body, 'UTF8')::json ->> 'phone' as phone from runs r join events e on e.id = r.event_id`;

const OUTCOMES = `
with webhook as (${WEBHOOKS})
select w.id || '.' || n as message, t.status, t.error::json ->> 'code' as code, t.error::json ->> 'message' as error,
  (select count(*) from ${SENT} where s.code = w.id || '.' || n)::int as sent,
  exists (select from chaos_waits c where c.run_id = w.run_id and c.task_id = n + 1) as waited
from webhook w cross join generate_series(1, $3) as n
left join task_runs t on t.run_id = w.run_id and t.task_id = n + 1`;

/**
 * Messages that left while a hold or a stop lasted that was committed before they left. `is_younger`: it was committed before the last
 * record of the message, so that it must not have left.
 */
const LEAVES = `
with webhook as (${WEBHOOKS}), sent as (
  select s.code, to_timestamp(s.at_ms / 1000) as at, w.phone, w.run_id, split_part(s.code, '.', 2)::int + 1 as task_id
  from ${SENT} join webhook w on w.id = split_part(s.code, '.', 1)
)
select s.code, s.at, c.kind, c.at as changed_at, r.at as recorded_at, exists (
    select from chaos_changes b where b.name = c.name and b.kind = c.kind and b.blocks and b.id <= c.id
      and b.id > coalesce((select max(u.id) from chaos_changes u where u.name = c.name and u.kind = c.kind and not u.blocks and u.id < c.id), 0)
      and pg_visible_in_snapshot(b.xid, r.snapshot)
  ) as is_younger
from sent s
cross join lateral (
  select r.snapshot, r.at from chaos_records r where r.run_id = s.run_id and r.task_id = s.task_id and r.at < s.at
  order by r.id desc limit 1
) r
cross join unnest(array['hold', 'stop']) as asked(kind)
cross join lateral (
  select c.* from chaos_changes c where c.name = s.phone and c.kind = asked.kind and c.at < s.at order by c.id desc limit 1
) c
where c.blocks`;
