// Events and runs are listed alike, the newest first: by the index over a workflow's rows, or where few rows are in a
// state, by the partial index over those.
import { lowestIdAt } from '#lib/ids.ts';
import type { Context } from './context.ts';
import { type Page, type PageInput, readCursor, toPage } from './paging.ts';

export interface NewestTable {
  name: 'events' | 'runs';
  /** Its alias in `columns` and in the conditions. */
  alias: string;
  columns: string;
  stateColumn: 'outcome' | 'status';
  /** By state: the condition of the partial index that holds all rows in it. */
  indexedStates: Readonly<Partial<Record<string, string>>>;
  /** Rows without a workflow are listed too, by the partial index over them. */
  hasRowsWithoutWorkflow?: boolean;
}

export interface NewestInput extends PageInput {
  workflowId?: string | undefined;
  state?: string | undefined;
  /** Made at or after this. Milliseconds since 1970. */
  fromMs?: number | undefined;
  /** Made before this. Milliseconds since 1970. */
  toMs?: number | undefined;
}

/** Each workflow's newest by the index over it, then the newest of these: nothing else is read. */
const ofWorkflows = (table: NewestTable, columns: string, condition: string): string => {
  const { name, alias: a } = table;
  return `
select ${a}.* from (
  select ${a}.* from workflows w cross join lateral (
    select ${columns} from ${name} ${a}
    where ${a}.workflow_id = w.id and ${a}.id < $2 and ${a}.id >= $5 and ${condition}
    order by ${a}.id desc limit $3
  ) ${a}
  where w.workspace_id = $1 and ($4::uuid is null or w.id = $4)
  ${table.hasRowsWithoutWorkflow ? withoutWorkflow(table, columns, condition) : ''}
) ${a}
order by ${a}.id desc limit $3`;
};

const withoutWorkflow = ({ name, alias: a }: NewestTable, columns: string, condition: string): string => `
  union all (
    select ${columns} from ${name} ${a}
    where ${a}.workspace_id = $1 and ${a}.workflow_id is null and $4::uuid is null
      and ${a}.id < $2 and ${a}.id >= $5 and ${condition}
    order by ${a}.id desc limit $3
  )`;

const ofPartialIndex = ({ name, alias: a }: NewestTable, columns: string, condition: string): string => `
select ${columns} from ${name} ${a}
where ${a}.workspace_id = $1 and ${a}.id < $2 and ${a}.id >= $5 and ($4::uuid is null or ${a}.workflow_id = $4)
  and ${condition}
order by ${a}.id desc limit $3`;

/** Whether no more rows need be read than are listed. */
export const isIndexed = (table: NewestTable, state: string | undefined): boolean =>
  state === undefined || table.indexedStates[state] !== undefined;

/**
 * The query for the newest rows below an id, with `newestValues`. The state is compared with `$6`, where that is not
 * null; `anyState` leaves it to who uses the rows, unless an index has it.
 */
export function newestQuery(
  table: NewestTable,
  {
    state,
    columns = table.columns,
    anyState = false,
  }: { state?: string | undefined; columns?: string; anyState?: boolean },
): string {
  const isState = `($6::text is null or ${table.alias}.${table.stateColumn} = $6)`;
  const indexed = state === undefined ? undefined : table.indexedStates[state];
  if (indexed !== undefined) return ofPartialIndex(table, columns, `${isState} and ${indexed}`);
  return ofWorkflows(table, columns, anyState ? '($6::text is null or true)' : isState);
}

/** $1 to $6. @param rows how many at the most */
export function newestValues(ctx: Context, input: NewestInput, rows: number): unknown[] {
  const { cursor, workflowId, state, fromMs, toMs } = input;
  const seen = readCursor(cursor);
  const end = toMs === undefined ? seen : lowestIdAt(toMs);
  return [
    ctx.workspaceId,
    end < seen ? end : seen,
    rows,
    workflowId ?? null,
    lowestIdAt(fromMs ?? 0),
    state ?? null,
  ];
}

/** The workspace's rows that match, newest first; those of deleted workflows too. */
export async function listNewest<Row extends { id: string }, Item>(
  ctx: Context,
  table: NewestTable,
  input: NewestInput,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const { rows } = await ctx.db.$client.query<Row>(
    newestQuery(table, input),
    newestValues(ctx, input, input.limit + 1),
  );
  return toPage(rows, input.limit, toItem);
}
