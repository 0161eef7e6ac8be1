import * as z from 'zod';
import type { Context } from '#lib/identity/context.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { FoundWorkflow } from './row-schema.ts';

export const workflowSearchSchema = z.strictObject({ text: z.string().trim().min(2).max(500) });

const MAX_TASKS_NAMED = 3;
/** Drafts are read one by one, so their number is limited. */
const MAX_SEARCHED = 1000;

/** Searches the most recently changed workflows: only their own tasks, not their runs. */
const SEARCH = `
select w.id, coalesce(t.names, '{}') as tasks, k.token_hash is not null as is_its_url
from (
  select id, name, draft, tags from workflows
  where workspace_id = $1 and deleted_at is null order by updated_at desc, id desc limit $4
) w
left join webhook_tokens k on k.workflow_id = w.id and k.token_hash = $3
left join lateral (
  select array_agg(named.name) as names from (
    select task->>'name' as name from json_array_elements(w.draft->'tasks') task
    where position(lower($2) in lower(task->>'name')) > 0 limit ${MAX_TASKS_NAMED}
  ) named
) t on true
where t.names is not null or k.token_hash is not null`;

/** The workflows with a text in the names of their tasks, or with a webhook URL or token. */
export async function searchWorkflows(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { text }: z.output<typeof workflowSearchSchema>,
): Promise<FoundWorkflow[]> {
  const values = [ctx.workspaceId, text, hashToken(tokenIn(text)), MAX_SEARCHED];
  const { rows } = await ctx.db.$client.query<{ id: string; tasks: string[]; is_its_url: boolean }>(
    SEARCH,
    values,
  );
  return rows.map(({ id, tasks, is_its_url: isItsUrl }) => ({ id, tasks, isItsUrl }));
}

/** The token of a URL, its last path segment; a token stays. */
const tokenIn = (text: string): string =>
  text.split(/[?#]/)[0]?.replace(/\/+$/, '').split('/').at(-1) ?? text;
