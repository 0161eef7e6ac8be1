import type { Pool } from '#lib/core/db/client.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';

/** Channel that announces which runs have a response for a waiting caller; payload: ids joined by commas. */
export const ANSWERS_CHANNEL = 'patchbay_answers';

/** The responses of those runs that have one. */
export async function findAnswers(
  pool: Pool,
  runIds: readonly string[],
): Promise<{ id: string; answer: RunAnswer }[]> {
  const { rows } = await pool.query<{ id: string; answer: RunAnswer }>({
    name: 'find_answers',
    text: 'select id, answer from runs where id = any($1::uuid[]) and answer is not null',
    values: [runIds],
  });
  return rows;
}
