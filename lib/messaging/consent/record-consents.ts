// Writes the register of consent. All changes go through here, whichever way they come.
import { sql, type SQL } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { ConsentPurpose, ConsentState, Evidence } from '#lib/messaging/schema/consent-types.ts';

export interface ConsentChange {
  /** Returned where it changed something. */
  id?: string;
  workspaceId: string;
  /** Names of one customer, at least one; the change is stored under all that are known. */
  names: readonly string[];
  purpose: ConsentPurpose;
  state: ConsentState;
  at: Date;
  evidence: Evidence;
  /** The platform may report it late: it does not undo a stop that is newer. */
  mayBeLate?: boolean;
}

/**
 * SQL of every name of the customers of `asked` (place, workspace_id, name), each once. For a CTE; a name that nothing is known
 * of counts for itself.
 */
export const ALL_NAMES = sql.raw(`
select asked.place, asked.workspace_id, asked.name from asked
union
select asked.place, asked.workspace_id, n.name from asked
join customer_names k on k.workspace_id = asked.workspace_id and k.name = asked.name
join customer_names n on n.workspace_id = k.workspace_id and n.customer_id = k.customer_id`);

/**
 * SQL that stores changes of consent with their evidence, in order. Consent to all messages includes marketing. Of several
 * changes of one name and purpose the last one counts; repeating the current state changes nothing. Run it in the transaction
 * that stores where they come from. It returns the ids of those that changed something.
 */
export function recordConsents(changes: readonly ConsentChange[]): SQL {
  const column = (type: string, of: (change: ConsentChange, place: number) => unknown): SQL =>
    sql`${sql.param(changes.map(of))}::${sql.raw(type)}[]`;
  const names = changes.flatMap((change, place) =>
    change.names.map((name) => ({ place, workspaceId: change.workspaceId, name })),
  );
  return sql`
with change as (
  select * from unnest(${column('int', (_, place) => place)}, ${column('uuid', ({ id = newId() }) => id)},
    ${column('text', ({ purpose }) => purpose)}, ${column('text', ({ state }) => state)},
    ${column('timestamptz', ({ at }) => at.toISOString())}, ${column('text', ({ evidence }) => stringifyJson({ ...evidence }))},
    ${column('boolean', ({ mayBeLate = false }) => mayBeLate)})
    as c(place, change_id, purpose, state, at, evidence, may_be_late)
), asked as (
  select * from unnest(${sql.param(names.map(({ place }) => place))}::int[],
    ${sql.param(names.map(({ workspaceId }) => workspaceId))}::uuid[],
    ${sql.param(names.map(({ name }) => name))}::text[]) as a(place, workspace_id, name)
), wanted as (
  select distinct on (n.workspace_id, n.name, p.purpose)
    n.workspace_id, n.name, p.purpose, c.purpose as told_purpose, c.change_id, c.state, c.at, c.evidence, c.may_be_late
  from (${ALL_NAMES}) n
  join change c on c.place = n.place
  cross join lateral unnest(
    case when c.purpose = 'all' and c.state = 'given' then array['all', 'marketing'] else array[c.purpose] end
  ) as p(purpose)
  order by n.workspace_id, n.name, p.purpose, c.place desc
), stored as (
  insert into customer_consents as known (workspace_id, name, purpose, state, since, evidence)
  select w.workspace_id, w.name, w.purpose, w.state, w.at, w.evidence::json from wanted w
  where not (w.may_be_late and w.state = 'given' and exists (
    select from customer_consents k
    where k.workspace_id = w.workspace_id and k.name = w.name and k.purpose = w.purpose and k.state = 'stopped'
      and k.since > w.at
  ))
  order by w.workspace_id, w.name, w.purpose
  on conflict (workspace_id, name, purpose) do update
    set state = excluded.state, since = excluded.since, evidence = excluded.evidence
    where known.state <> excluded.state
  returning workspace_id, name, purpose
)
insert into consent_changes (change_id, workspace_id, name, purpose, state, at, evidence)
select change_id, workspace_id, name, told_purpose, state, at, evidence::json from (
  select distinct w.change_id, w.workspace_id, w.name, w.told_purpose, w.state, w.at, w.evidence
  from stored s join wanted w on w.workspace_id = s.workspace_id and w.name = s.name and w.purpose = s.purpose
) changed order by workspace_id, name
returning change_id as id`;
}
