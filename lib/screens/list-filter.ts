// URL filters shared by the lists of runs and of events.
import * as z from 'zod';
import type { NewestInput } from '#lib/engine/store/list-newest.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import type { WorkflowOfRow, BulkOutcome } from '#lib/screens/list-types.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { AppError } from '#lib/core/errors.ts';

const HOUR_MS = 3_600_000;
const SINCE_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const;
const ROWS_A_PAGE = 25;

const instant = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** Invalid values count as absent. */
export const listFilterFields = {
  workflow: z.string().refine(isId).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  since: z.enum(['1h', '24h', '7d', '30d']).optional().catch(undefined),
  from: instant,
  to: instant,
  cursor: z.string().max(100).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(100).default(ROWS_A_PAGE).catch(ROWS_A_PAGE),
};

type ListFilter = z.output<z.ZodObject<typeof listFilterFields>>;

/** Input for the verbs; `since` is relative to now and overrides `from` and `to`. */
export function toListInput(
  { workflow, text, since, from, to, cursor, limit }: ListFilter,
  now = Date.now(),
): { workflow_id: string | undefined; text: string | undefined } & Omit<NewestInput, 'state' | 'workflowId'> {
  return { workflow_id: workflow, text, cursor, limit, ...toTimeRange({ since, from, to }, now) };
}

function toTimeRange({ since, from, to }: Pick<ListFilter, 'since' | 'from' | 'to'>, now: number) {
  if (since) return { fromMs: now - SINCE_MS[since], toMs: undefined };
  return { fromMs: from ? Date.parse(from) : undefined, toMs: to ? Date.parse(to) : undefined };
}

/** Rows with their workflows' names, including deleted ones. */
export async function withWorkflowNames<Row extends { workflowId: string | null }>(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  rows: readonly Row[],
): Promise<(Row & WorkflowOfRow)[]> {
  const known = await findWorkflowNames(
    ctx,
    rows.map(({ workflowId }) => workflowId),
  );
  return rows.map((row) => {
    const workflow = row.workflowId === null ? undefined : known.get(row.workflowId);
    return {
      ...row,
      workflowName: workflow?.name ?? null,
      isWorkflowDeleted: workflow?.isDeleted ?? row.workflowId !== null,
    };
  });
}

/** Maximum number of items per call of a bulk action: the browser sends the next ones afterwards. */
export const MAX_AT_ONCE = 25;

/** Applies an action to each item, one after the other. A refusal is an outcome; any other error ends the call. */
export async function doEach(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const id of ids) {
    try {
      await work(id);
      outcomes.push({ id, problem: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes.push({ id, problem: error.message });
    }
  }
  return outcomes;
}
