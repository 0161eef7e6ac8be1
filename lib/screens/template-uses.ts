import type { Context } from '#lib/identity/context.ts';
import { readPicks } from '#lib/tasks/read-picks.ts';
import { listWorkflows } from '#lib/workflows/list-workflows.ts';
import { readAllPages } from './connection-uses.ts';
import type { NamedWorkflow } from './list-types.ts';

/** The workflows whose drafts send each message template of a connection, by template name. */
export async function listTemplateUses(
  ctx: Context,
  connectionId: string,
): Promise<Map<string, NamedWorkflow[]>> {
  const uses = new Map<string, NamedWorkflow[]>();
  for (const { id, name, tasks } of await readAllPages((page) => listWorkflows(ctx, page))) {
    const picks = tasks.map(readPicks).filter(({ connection }) => connection?.value === connectionId);
    const names = new Set(picks.flatMap(({ templates }) => templates.map(({ value }) => value)));
    for (const template of names) uses.set(template, [...(uses.get(template) ?? []), { id, name }]);
  }
  return uses;
}
