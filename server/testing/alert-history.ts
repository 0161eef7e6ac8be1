// A long history of alerts beside a history of events (skewed-history.ts). For tests and for the bench of the alerts.
import { updateDestination } from '#lib/alerts/destinations/save-destination.ts';
import { ALERT_KINDS } from '#lib/alerts/kinds.ts';
import { newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';

export interface AlertHistory {
  /** Sent, each by one email. */
  alerts: number;
  /** Recorded problems, of which one in a hundred is reported and not over. */
  states: number;
  connections: number;
}

const idOf = (group: number): string =>
  `(lpad(to_hex(extract(epoch from at)::bigint * 1000), 12, '0') || '7000800${group}' || lpad(to_hex(n), 12, '0'))::uuid`;
const AT = `generate_series(1, $1::int) n
cross join lateral (select $3::timestamptz - interval '29 days' * (1 - n / ($1 + 1.0)) as at) instant`;

/** Alerts at regular intervals over the last 29 days, with their deliveries and mails. */
const ALERTS = [
  `insert into alerts (id, workspace_id, kind, content, created_at)
   select ${idOf(1)}, $2, 'run_failed', json_build_object('title', 'A run failed', 'paragraphs', json_build_array(repeat('x ', 200)),
     'link', json_build_object('label', 'Open', 'path', '/runs')), at
   from ${AT}`,
  `insert into mails (id, kind, recipient, subject, created_at, due_at, give_up_at, attempts, sent_at)
   select ${idOf(2)}, 'alert', 'owner@example.com', 'A run failed', at, at, at + interval '1 day', 1, at
   from ${AT} where $2::uuid is not null`,
  `insert into alert_deliveries (id, alert_id, destination_id, channel, target, mail_id, created_at, due_at)
   select ${idOf(3)}, ${idOf(1)}, $2, 'email', 'owner@example.com', ${idOf(2)}, at, at from ${AT}`,
];

const STATES = `insert into alert_states (workspace_id, matter, told_at, told_of)
select $2, 'run_failed:' || md5(n::text), now(), case when n % 100 = 0 then 'x' end from generate_series(1, $1::int) n`;

const CONNECTIONS = `insert into connections (id, workspace_id, name, business_account_id, scopes, access_token_encrypted,
  token_issued_at, receiver_token_hash, receiver_token_encrypted)
select gen_random_uuid(), $2, 'Shop ' || n, n::text, '{}', 'x', now(), sha256(n::text::bytea), 'x'
from generate_series(1, $1::int) n`;

/** Adds an owner who receives all alerts, and the alerts that they received. */
export async function insertAlertHistory(
  ctx: ActorContext,
  { alerts, states, connections }: AlertHistory,
): Promise<void> {
  const { $client: pool } = ctx.db;
  const userId = newId();
  await pool.query('insert into users (id, email) values ($1, $2)', [userId, `${userId}@example.com`]);
  await pool.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, 'owner')`, [
    ctx.workspaceId,
    userId,
  ]);
  await updateDestination(ctx, {
    id: ctx.workspaceId,
    name: 'Owners',
    config: { channel: 'email', owners: true, user_ids: [], addresses: [] },
    kinds: [...ALERT_KINDS],
    enabled: true,
  });
  const now = new Date();
  for (const statement of ALERTS) await pool.query(statement, [alerts, ctx.workspaceId, now]);
  await pool.query(STATES, [states, ctx.workspaceId]);
  await pool.query(CONNECTIONS, [connections, ctx.workspaceId]);
}

/** Notes this many failed runs of workflows, in turn, like the engine. */
export const noteFailedRuns = (
  { db, workspaceId }: Pick<ActorContext, 'db' | 'workspaceId'>,
  { workflowIds, count }: { workflowIds: readonly string[]; count: number },
): Promise<unknown> =>
  db.$client.query(
    `insert into failed_runs (run_id, workspace_id, workflow_id, failed_at)
     select coalesce(run.id, gen_random_uuid()), $1, workflow_id, now()
     from generate_series(1, $3::int) n
     cross join lateral (select ($2::uuid[])[1 + n % cardinality($2::uuid[])] as workflow_id) of
     left join lateral (
       select id from runs where runs.workflow_id = of.workflow_id and status = 'failed' order by id desc limit 1
     ) run on true`,
    [workspaceId, workflowIds, count],
  );
