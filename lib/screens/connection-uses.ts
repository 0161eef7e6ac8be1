import type { NamedWorkflow } from './list-types.ts';
import { listConnections } from '#lib/messaging/connections/connections.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import { listConnectionIds } from '#lib/tasks/picks.ts';
import { listWorkflows } from '#lib/workflows/load-workflow.ts';
import type { Page, PageInput } from '#lib/core/db/paging.ts';
import type { Context } from '#lib/identity/context.ts';

const PAGE = 100;

/** The workflows whose drafts use each connection. */
export async function listConnectionUses(ctx: Context): Promise<Map<string, NamedWorkflow[]>> {
  const uses = new Map<string, NamedWorkflow[]>();
  for (const { id, name, tasks } of await readAllPages((page) => listWorkflows(ctx, page))) {
    for (const connectionId of new Set(tasks.flatMap(listConnectionIds)))
      uses.set(connectionId, [...(uses.get(connectionId) ?? []), { id, name }]);
  }
  return uses;
}

/** All connections of the workspace, newest first. */
export const listAllConnections = (ctx: Context): Promise<Connection[]> =>
  readAllPages((page) => listConnections(ctx, page));

/** Every item of a paged list. */
export async function readAllPages<Item>(list: (page: PageInput) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list({ limit: PAGE, cursor });
    items.push(...page.data);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
}
