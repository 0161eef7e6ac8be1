import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { connections } from '#lib/messaging/schema/connections.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { checkGraph, toGraph } from './check-graph.ts';
import { insertWorkflow } from './create-workflow.ts';
import type { ImportCheck } from './import-schema.ts';
import { type NewWorkflow, newWorkflowSchema, type Workflow } from './schema.ts';

const CONNECTION_FIELD = 'app_connection_id';
/** Ids of the platform that belong to a connection: they mean nothing under another one. */
const FIELDS_OF_CONNECTION = ['business_account_id', 'phone_number_id'];

/** Looks at an exported workflow without making anything. */
export async function checkImport(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { text }: { text: string },
): Promise<ImportCheck> {
  const ours = await ctx.db
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(eq(connections.workspaceId, ctx.workspaceId))
    .orderBy(connections.name);
  const { workflow, problems } = readWorkflow(text);
  const check = { connections: ours, unknownConnections: [], problems };
  if (!workflow) return { ...check, name: '', taskCount: 0 };
  return {
    ...check,
    name: workflow.name,
    taskCount: workflow.tasks.length,
    problems: [...problems, ...findProblems(workflow)],
    unknownConnections: findUnknown(workflow, new Set(ours.map(({ id }) => id))),
  };
}

/** Makes a workflow of an exported one. @throws AppError `invalid_workflow` with what is wrong, by path */
export async function importWorkflow(
  ctx: ActorContext,
  { text, connections: replacements }: { text: string; connections: Record<string, string> },
): Promise<Workflow> {
  const { workflow, problems } = readWorkflow(text);
  if (!workflow) throw new AppError('invalid_workflow', 'This is not an exported workflow.', { problems });
  const tasks = workflow.tasks.map((task) => {
    const id = task.settings[CONNECTION_FIELD];
    const replacement = typeof id === 'string' ? replacements[id] : undefined;
    if (replacement === undefined) return task;
    const kept = Object.entries(task.settings).filter(
      ([field]) => field !== CONNECTION_FIELD && !FIELDS_OF_CONNECTION.includes(field),
    );
    const settings = Object.fromEntries(kept);
    return { ...task, settings: replacement ? { ...settings, [CONNECTION_FIELD]: replacement } : settings };
  });
  return ctx.db.transaction((tx) => insertWorkflow(ctx, tx, { ...workflow, tasks }, 'workflow.imported'));
}

function readWorkflow(text: string): { workflow: NewWorkflow | null; problems: Problem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      workflow: null,
      problems: [{ path: '', message: `This is not JSON: ${(error as Error).message}` }],
    };
  }
  const result = newWorkflowSchema.safeParse(value);
  if (result.success) return { workflow: result.data, problems: [] };
  const problems = result.error.issues.map(({ path, message }) => ({
    path: z.core.toDotPath(path),
    message,
  }));
  return { workflow: null, problems };
}

function findProblems(workflow: NewWorkflow): readonly Problem[] {
  try {
    checkGraph(toGraph(workflow), 'draft');
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.problems;
    throw error;
  }
}

function findUnknown(workflow: NewWorkflow, known: ReadonlySet<string>): ImportCheck['unknownConnections'] {
  const byId = new Map<string, string[]>();
  for (const { name, type, settings } of workflow.tasks) {
    const id = settings[CONNECTION_FIELD];
    if (typeof id !== 'string' || id === '' || known.has(id)) continue;
    byId.set(id, [...(byId.get(id) ?? []), name ?? type]);
  }
  return [...byId].map(([id, taskNames]) => ({ id, taskNames }));
}
