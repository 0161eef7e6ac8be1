// Replaces what says who a customer is in runs that keep their place.
import { inTransaction, type Pool } from '#lib/core/db/client.ts';
import type { Spellings } from './spellings.ts';

/** `json`: values that contain a name are replaced; `text`: the name is. */
export type TextKind = 'json' | 'text';

const RUN_COLUMNS = { answer: 'json', error: 'json' } as const;
const TASK_COLUMNS = {
  run_text: 'text',
  output: 'json',
  error: 'json',
  attempts: 'json',
  state: 'json',
  items: 'json',
} as const;
const TASK_TYPES: Readonly<Record<string, string>> = { error: 'json', attempts: 'json' };

/** SQL: whether one of these columns contains the pattern $2. */
export const containing = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${alias}.${column}::text, '') ~ $2`).join(' or ');
const textsOf = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}::text as "${column}"`).join(', ');

/** The columns with texts. */
export const [RUN_NAMES, TASK_NAMES] = [Object.keys(RUN_COLUMNS), Object.keys(TASK_COLUMNS)];
const RUN_TEXTS = `select ${textsOf('r', RUN_NAMES)} from runs r where r.id = $1`;
const TASK_TEXTS = `
select t.task_id, t.iteration, ${textsOf('t', TASK_NAMES)} from task_runs t where t.run_id = $1 and (${containing('t', TASK_NAMES)} or concat_ws(' ', ${TASK_NAMES.map((name) => `t.${name}`).join(', ')}) ~* $3)
order by t.task_id, t.iteration`;

type Texts = Record<string, string | null>;

interface Cleaning {
  spellings: Spellings;
  count: (kind: string, rows: number) => void;
}

/** Cleans a run that has ended. */
export async function cleanRun(pool: Pool, { spellings, count }: Cleaning, id: string): Promise<void> {
  const clean = (row: Texts, columns: Readonly<Record<string, TextKind>>): (string | null)[] =>
    Object.entries(columns).map(([column, kind]) => {
      const text = row[column] ?? null;
      if (text === null) return null;
      return kind === 'json' ? spellings.cleanJson(text, true) : spellings.clean(text, true);
    });
  await inTransaction(pool, async (client) => {
    const [run] = (await client.query<Texts>(`${RUN_TEXTS} for update`, [id])).rows;
    if (!run) return;
    await client.query('update runs set answer = $2::json, error = $3::json, line = null where id = $1', [
      id,
      ...clean(run, RUN_COLUMNS),
    ]);
    const tasks = await client.query<Texts & { task_id: number; iteration: string }>(TASK_TEXTS, [
      id,
      spellings.sql,
      spellings.wordsSql,
    ]);
    const set = TASK_NAMES.map((name, index) => `${name} = $${index + 4}::${TASK_TYPES[name] ?? 'text'}`);
    for (const task of tasks.rows)
      await client.query(
        `update task_runs set ${set.join(', ')} where run_id = $1 and task_id = $2 and iteration = $3`,
        [id, task.task_id, task.iteration, ...clean(task, TASK_COLUMNS)],
      );
    if (tasks.rows.length > 0) count('runs_cleaned', 1);
    count('task_runs_cleaned', tasks.rows.length);
  });
}

/**
 * SQL of whether a run is for others, too: it sent something to them, or its burst has a message of theirs.
 * @param names SQL of the customer's names
 */
export const isForOthers = (runId: string, names: string): string => `(
  exists (select from sent_messages s where s.run_id = ${runId} and not s.recipient = any(${names}))
  or exists (
    select from burst_events b join received_messages m on m.run_id = b.run_id and m.event_id = b.event_id
    where b.run_id = ${runId} and not m.customer = any(${names})
  )
)`;
