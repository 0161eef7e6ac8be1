// Events and runs are listed alike, the newest first: by the index over a workflow's rows, or where few rows are in a
// state, by the partial index over those.
import type { Context } from './context.ts';
import { type Page, type PageInput, readCursor, toPage } from './paging.ts';

export interface NewestTable {
  /** Its alias in `columns`. */
  alias: string;
  name: 'events' | 'runs';
  columns: string;
  stateColumn: 'outcome' | 'status';
  /** By state: the condition of the partial index that holds all rows in it, of the alias. */
  indexedStates: Readonly<Partial<Record<string, string>>>;
}

export interface NewestInput extends PageInput {
  workflowId?: string | undefined;
  state?: string | undefined;
}

/** Each workflow's newest by the index over it, then the newest of these: nothing else is read. */
const ofWorkflows = ({ alias, name, columns, stateColumn }: NewestTable): string => `
select ${alias}.* from workflows w cross join lateral (
  select ${columns} from ${name} ${alias}
  where ${alias}.workflow_id = w.id and ${alias}.id < $2 and ($5::text is null or ${alias}.${stateColumn} = $5)
  order by ${alias}.id desc limit $3
) ${alias}
where w.workspace_id = $1 and ($4::uuid is null or w.id = $4)
order by ${alias}.id desc limit $3`;

const ofPartialIndex = ({ alias, name, columns, stateColumn }: NewestTable, condition: string): string => `
select ${columns} from ${name} ${alias}
where ${alias}.workspace_id = $1 and ${alias}.id < $2 and ($4::uuid is null or ${alias}.workflow_id = $4)
  and ${alias}.${stateColumn} = $5 and ${condition}
order by ${alias}.id desc limit $3`;

/** The workspace's rows that match, newest first; those of deleted workflows too. */
export async function listNewest<Row extends { id: string }, Item>(
  ctx: Context,
  table: NewestTable,
  { limit, cursor, workflowId, state }: NewestInput,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const condition = state === undefined ? undefined : table.indexedStates[state];
  const query = condition === undefined ? ofWorkflows(table) : ofPartialIndex(table, condition);
  const values = [ctx.workspaceId, readCursor(cursor), limit + 1, workflowId ?? null, state ?? null];
  const { rows } = await ctx.db.$client.query<Row>(query, values);
  return toPage(rows, limit, toItem);
}
