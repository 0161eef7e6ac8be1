import type { Context } from '#lib/identity/context.ts';

const LIST_WAITS = `
select run_id, run_text from task_runs
where run_id = any($1::uuid[]) and status = 'waiting' and run_text is not null
order by resume_at desc nulls first`;

/**
 * What runs wait for, by their ids; of several waits of a run the one that ends first.
 * @param ids of the workspace's runs
 */
export async function listWaits(
  ctx: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await ctx.db.$client.query<{ run_id: string; run_text: string }>(LIST_WAITS, [ids]);
  return new Map(
    rows.flatMap(({ run_id: id, run_text: text }): [string, string][] => {
      const wait = describeWait(text);
      return wait === null ? [] : [[id, wait]];
    }),
  );
}

/**
 * What a task waits for, from its run text: "Question sent. Waiting for the customer’s answer." → "Waiting for the customer’s
 * answer". Isomorphic.
 * @returns null: the text does not say, as for a delay
 */
export const describeWait = (runText: string | null): string | null =>
  runText === null ? null : (WAIT.exec(runText)?.[0] ?? null);

const WAIT = /\bWaiting (?:for .+?(?= until \d|\.|$)|until the [^.]+)/;

/** Whether what a run waits for has no time of its own: the run only looks again from time to time. @param wait of `describeWait` */
export const hasNoTime = (wait: string | null): boolean => wait?.startsWith('Waiting until ') ?? false;
