import type { Queryable } from '#lib/core/db/client.ts';

/** The published version of a workflow, whose workspace was checked; null: there is none. */
export async function readPublished(client: Queryable, workflowId: string): Promise<number | null> {
  const { rows } = await client.query<{ version: number | null }>(
    'select published_version as version from workflows where id = $1 and deleted_at is null',
    [workflowId],
  );
  return rows[0]?.version ?? null;
}
