import { sql } from 'drizzle-orm';
import type { RunStatus } from '#lib/engine/run-types.ts';
import {
  searchByEvent,
  type SearchedTable,
  type SearchedPage,
  type SearchInput,
} from '#lib/events/search-by-event.ts';
import type { Context } from '#lib/identity/context.ts';
import { findCustomersOfRuns, findRunsOfCustomer } from '#lib/messaging/customers/runs-of-customer.ts';
import type { Page, PageInput } from '#lib/core/db/paging.ts';
import { RUN_COLUMNS, type RunRow, toRunSummary } from './run-rows.ts';
import type { RunDelivery, RunSummary } from './schema.ts';

export interface ListRunsInput extends PageInput {
  workflow_id?: string | undefined;
  status?: RunStatus | undefined;
  delivery?: RunDelivery | undefined;
  /** Id of a customer: only runs that sent them something, or that they started or answered. */
  customer?: string | undefined;
}

const RUNS: SearchedTable = {
  alias: 'r',
  name: 'runs',
  columns: RUN_COLUMNS,
  stateColumn: 'status',
  rare: {
    states: ['waiting', 'failed', 'cancelled'] satisfies RunStatus[],
    column: 'rare_status',
    condition: 'r.rare_status is not null',
  },
  marks: { name: 'undelivered_runs', rowId: 'run_id' },
  eventId: 'r.event_id',
  idOfOther: (id, workspaceId) =>
    sql`select e.run_id from events e where e.id = ${id} and e.workspace_id = ${workspaceId}`,
  // Its first run, and those that were started for it later, which have an index.
  idsOfEvents: (events) => sql`select run.id from (${events}) keyed cross join lateral (
    select e.run_id as id from events e where e.id = keyed.event_id
    union all select r.id from runs r where r.event_id = keyed.event_id and (r.retry_of is not null or r.version < 0)) run`,
  idsOfRuns: (runs) => runs,
  idsOfDocuments: (
    ids,
  ) => sql`select e.run_id as id from events e where e.id = any(${sql.param(ids)}::uuid[]) and e.run_id is not null
    union all select r.id from runs r where r.id = any(${sql.param(ids)}::uuid[])`,
};

/** The workspace's runs, newest first, including those of deleted workflows. A page may be short: see `searchByEvent`. */
export async function listRuns(ctx: Context, input: ListRunsInput): Promise<Page<RunSummary>> {
  const { data, next_cursor } = await searchRuns(ctx, { ...input, hidesNumbers: false });
  return { data, next_cursor };
}

type SearchRunsInput = ListRunsInput & Pick<SearchInput, 'text' | 'hidesNumbers' | 'fromMs' | 'toMs'>;

/** A page of the workspace's runs, filtered by text of their event and time; see `searchByEvent`. */
export async function searchRuns(
  ctx: Context,
  { workflow_id, status, delivery, customer, ...input }: SearchRunsInput,
): Promise<SearchedPage<RunSummary>> {
  const among = customer === undefined ? undefined : await findRunsOfCustomer(ctx, customer);
  const { data, ...rest } = await searchByEvent<RunRow, RunRow>(
    ctx,
    RUNS,
    { ...input, workflowId: workflow_id, state: status, isMarked: delivery === 'undelivered', among },
    (row) => row,
  );
  const customers = await findCustomersOfRuns(
    ctx,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => toRunSummary(row, customers.get(row.id))), ...rest };
}
