import type { Pool } from '#lib/core/db/client.ts';
import { type DraftRunOptions, draftRevisionOf } from '../draft-run.ts';
import type { TakenRun } from '../run-state.ts';

const OPTIONS = 'select options from draft_runs where run_id = $1';

/**
 * Undefined for a run of a published version, without a query.
 * @throws Error when they are missing: without them it is unknown which effects may be let through
 */
export async function loadDraftOptions(
  pool: Pool,
  { id, version }: Pick<TakenRun, 'id' | 'version'>,
): Promise<DraftRunOptions | undefined> {
  if (draftRevisionOf(version) === null) return undefined;
  const { rows } = await pool.query<{ options: DraftRunOptions }>(OPTIONS, [id]);
  if (!rows[0]) throw new Error(`The run ${id} of a draft has no options.`);
  return rows[0].options;
}
