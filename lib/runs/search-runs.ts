import { searchByEvent, type SearchedPage, type SearchInput } from '#lib/events/search-by-event.ts';
import type { Context } from '#lib/identity/context.ts';
import { type ListRunsInput, RUNS } from './list-runs.ts';
import { type RunRow, toRunSummary } from './run-row.ts';
import type { RunSummary } from './schema.ts';

type SearchRunsInput = ListRunsInput & Pick<SearchInput, 'text' | 'hidesNumbers' | 'fromMs' | 'toMs'>;

/** A page of the workspace's runs, filtered by text of their event and time; see `searchByEvent`. */
export const searchRuns = (
  ctx: Context,
  { workflow_id, status, ...input }: SearchRunsInput,
): Promise<SearchedPage<RunSummary>> =>
  searchByEvent<RunRow, RunSummary>(
    ctx,
    RUNS,
    { ...input, workflowId: workflow_id, state: status },
    toRunSummary,
  );
