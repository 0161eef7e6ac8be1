import { AppError } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import type { WorkspaceTime } from '#lib/identity/schema/time-types.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { listMarkedFields } from '#lib/tasks/marked-fields.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';

/**
 * Sets the workspace's time.
 * @throws AppError `conflict` where a calendar is removed or renamed that a published workflow uses
 */
export async function changeWorkspaceTime(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  time: WorkspaceTime,
): Promise<WorkspaceTime> {
  const before = await getWorkspaceTime(ctx);
  const removed = Object.keys(before.hours).filter((name) => !Object.hasOwn(time.hours, name));
  const use = removed.length === 0 ? undefined : await findCalendarUse(ctx, removed);
  if (use)
    throw new AppError(
      'conflict',
      `The calendar “${use.calendar}” cannot be removed or renamed: the workflow “${use.workflow}” uses it in its task “${use.task}”. Add the new calendar beside it, select that one there, and publish first.`,
    );
  return setWorkspaceTime(ctx, time);
}

interface CalendarUse {
  calendar: string;
  workflow: string;
  task: string;
}

const PUBLISHED = `
select w.name, v.graph from workflows w
join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
where w.workspace_id = $1 and w.deleted_at is null and position('"calendar"' in v.graph::text) > 0 order by w.name`;

/** The first published workflow that names one of these calendars. */
async function findCalendarUse(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  calendars: readonly string[],
): Promise<CalendarUse | undefined> {
  const { rows } = await db.$client.query<{ name: string; graph: WorkflowGraph }>(PUBLISHED, [workspaceId]);
  for (const { name: workflow, graph } of rows)
    for (const { type, name: task, settings } of graph.tasks) {
      const schema = findTaskDefinition(type)?.settings;
      const calendar = schema && listCalendars(schema, settings).find((each) => calendars.includes(each));
      if (calendar !== undefined) return { calendar, workflow, task };
    }
  return undefined;
}

const listCalendars = (...given: [Parameters<typeof listMarkedFields>[0], unknown]): string[] =>
  listMarkedFields(...given, 'calendar').flatMap(({ value }) =>
    typeof value === 'string' ? [value.trim()] : [],
  );
