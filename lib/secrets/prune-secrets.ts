import type { Pool } from '#lib/core/db/client.ts';

/** Open tabs can restore a secret by undo, and a copied task by paste, for this time. */
const KEPT = `interval '30 days'`;

/** Secrets that a draft or a version refers to are in use, however old. */
const TOUCH_USED = `
with graphs as (
  select workspace_id, draft::text as graph from workflows
  union all
  select w.workspace_id, v.graph::text from workflow_versions v join workflows w on w.id = v.workflow_id
), used as (
  select distinct g.workspace_id, found[1] as id
  from graphs g cross join lateral regexp_matches(g.graph, '•{6}\\(([\\w-]{16})\\)', 'g') as found
)
update setting_secrets s set used_at = now() from used u
where u.workspace_id = s.workspace_id and u.id = s.id and s.used_at < now() - ${KEPT}`;

/** Removes secrets that have been unreferenced for a month, such as half-typed ones. */
export async function pruneSecrets(pool: Pool): Promise<void> {
  const { rows } = await pool.query(`select from setting_secrets where used_at < now() - ${KEPT} limit 1`);
  if (rows.length === 0) return;
  await pool.query(TOUCH_USED);
  await pool.query(`delete from setting_secrets where used_at < now() - ${KEPT}`);
}
