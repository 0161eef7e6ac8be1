// Whether a message may leave. Asked right before each request, after it was recorded that the message is about to be sent
// (docs/decisions/sending.md).
import type { Pool } from '#lib/core/db/client.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import type { ConsentPurpose, HoldSends } from '#lib/messaging/schema/consent-types.ts';

/** What keeps messages from a customer; undefined in `findBlock`: nothing does. */
export interface Block {
  /** The widest purpose that the customer stopped; null: none. */
  stopped: ConsentPurpose | null;
  /** The customer is on hold; null: no. */
  hold: Hold | null;
}

interface Hold {
  reason: string;
  until: Date | null;
  sends: HoldSends;
}

interface Asked {
  workspaceId: string;
  /** A number or user id. */
  recipient: string;
}

// `offset 0` and `limit 1` keep the planner from reading all rows of a workspace for each message, or of all workspaces for each
// batch, where statistics are missing: 7 ms a message instead of 0.1 with 100,000 customers of whom 50,000 stopped.

/** As `namesOfCustomer`, by the index of customers alone. */
const NAMES = `
select asked.recipient
union all
select n.name from (
  select name, workspace_id from customer_names where customer_id = (
    select k.customer_id from customer_names k where k.workspace_id = asked.workspace_id and k.name = asked.recipient
  ) offset 0
) n where n.workspace_id = asked.workspace_id`;

/** A workspace without a row of a table is asked nothing more about it. */
const FIND = `
select
  case when (select true from customer_consents c where c.workspace_id = asked.workspace_id limit 1) then (
    select min(stop.purpose) from (${NAMES}) as own(name) cross join lateral (
      select c.purpose from customer_consents c
      where c.workspace_id = asked.workspace_id and c.name = own.name and c.state = 'stopped' offset 0
    ) stop
  ) end as stopped,
  case when (select true from customer_holds h where h.workspace_id = asked.workspace_id limit 1) then (
    select json_build_object('reason', held.reason, 'until', held.until, 'sends', held.sends) from (${NAMES}) as own(name) cross join lateral (
      select h.reason, h.until, h.sends from customer_holds h
      where h.workspace_id = asked.workspace_id and h.name = own.name and (h.until is null or h.until > now()) offset 0
    ) held
    order by held.until desc nulls first limit 1
  ) end as hold
from unnest($1::uuid[], $2::text[]) with ordinality as asked(workspace_id, recipient, place)
order by asked.place`;

/**
 * What keeps messages from a recipient under any of their names. It starts after it was asked for, so that everything that was
 * committed before counts; those that a process asks for at the same time share a query.
 */
export const findBlock = (pool: Pool, asked: Asked): Promise<Block | undefined> =>
  blocksTogether(pool).add(asked);

const blocksTogether = groupByPool(async (pool, asked: Asked[]) => {
  const { rows } = await pool.query<{
    stopped: ConsentPurpose | null;
    hold: { reason: string; until: string | null; sends: HoldSends } | null;
  }>({
    name: 'find_blocks',
    text: FIND,
    values: [asked.map(({ workspaceId }) => workspaceId), asked.map(({ recipient }) => recipient)],
  });
  return rows.map(({ stopped, hold }): Block | undefined =>
    stopped === null && hold === null
      ? undefined
      : {
          stopped,
          hold: hold && { ...hold, until: hold.until === null ? null : new Date(hold.until) },
        },
  );
});

/** Why a message is not sent. */
export type Refusal = { kind: 'stopped'; purpose: ConsentPurpose } | ({ kind: 'hold' } & Hold);

interface Outgoing {
  isTemplate: boolean;
  /** Of the message template: asked only where the customer stopped marketing. Undefined: unknown, and treated as MARKETING. */
  findCategory: () => Promise<string | undefined>;
}

/**
 * Why a message may not leave now; undefined: it may.
 * @param find finds what keeps messages from the recipient, each time it is called
 */
export async function findRefusal(
  find: () => Promise<Block | undefined>,
  { isTemplate, findCategory }: Outgoing,
): Promise<Refusal | undefined> {
  let isMarketing: boolean | undefined = isTemplate ? undefined : false;
  for (;;) {
    const { stopped = null, hold = null } = (await find()) ?? {};
    if (stopped === 'all') return { kind: 'stopped', purpose: 'all' };
    if (stopped === 'marketing' && isMarketing === undefined) {
      isMarketing = ((await findCategory()) ?? 'MARKETING').toUpperCase() === 'MARKETING';
      // That took time: what was found before is old.
      continue;
    }
    if (stopped === 'marketing' && isMarketing === true) return { kind: 'stopped', purpose: 'marketing' };
    return hold ? { kind: 'hold', ...hold } : undefined;
  }
}
