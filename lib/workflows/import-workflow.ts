import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import { connections } from '#lib/messaging/schema/connections.ts';
import { AppError } from '#lib/core/errors.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { getSender } from '#lib/messaging/connections/connections.ts';
import { loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { fillSender, lacksSender } from '#lib/tasks/fill-sender.ts';
import { listConnectionIds, listPicked } from '#lib/tasks/picks.ts';
import { listCredentialsInFile } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { PickSource } from '#lib/tasks/task-definition.ts';
import { checkGraph, toGraph } from './check-graph.ts';
import { createWorkflow } from './create-workflow.ts';
import {
  type ImportCheck,
  type ImportProblem,
  type importSchema,
  locateImportProblem,
  toImportProblems,
} from './import-schema.ts';
import { type NewWorkflow, newWorkflowSchema, type PublishedWorkflow } from './schema.ts';

/** Ids of the platform that belong to a connection: they are meaningless for another one. */
const IDS_OF_CONNECTION: readonly PickSource[] = ['business_account', 'phone_number'];

/** Checks an exported workflow without creating anything. */
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
  const check = { connections: ours, unknownConnections: [], needsSender: false, problems, warnings: [] };
  if (!workflow) return { ...check, name: '', taskCount: 0 };
  const unknownConnections = findUnknown(workflow, new Set(ours.map(({ id }) => id)));
  return {
    ...check,
    name: workflow.name,
    taskCount: workflow.tasks.length,
    problems: [...problems, ...(await findProblems(workflow))],
    warnings: workflow.tasks.flatMap((task, index) => credentialsIn(task, index, workflow)),
    unknownConnections,
    needsSender: unknownConnections.length > 0 || workflow.tasks.some(lacksSender),
  };
}

/** Creates a workflow from an exported one. @throws AppError `invalid_workflow` with all problems by path */
export async function importWorkflow(
  ctx: ActorContext,
  { text, connections: replacements, sender }: Omit<z.output<typeof importSchema>, 'id'>,
): Promise<PublishedWorkflow> {
  const { workflow, problems } = readWorkflow(text);
  if (!workflow) throw new AppError('invalid_workflow', 'This is not an exported workflow.', { problems });
  const replaced = workflow.tasks.map((task) => ({
    ...task,
    settings: replaceConnection(task, replacements),
  }));
  const tasks = sender ? await takeSender(ctx, replaced, sender) : replaced;
  const ours = { ...workflow, tasks };
  return createWorkflow(ctx, ours, 'workflow.imported');
}

/** Sets the sender of tasks without a connection of this workspace. */
async function takeSender(
  ctx: ActorContext,
  tasks: NewWorkflow['tasks'],
  chosen: NonNullable<z.output<typeof importSchema>['sender']>,
): Promise<NewWorkflow['tasks']> {
  const sender = await getSender(ctx, chosen);
  const facts = await loadPlatformFacts(ctx, tasks.flatMap(listConnectionIds));
  const gone = Object.fromEntries(
    Object.entries(facts).flatMap(([id, known]) => (known === null ? [[id, '']] : [])),
  );
  return tasks.map((task) => {
    const settings = replaceConnection(task, gone);
    return { ...task, settings: fillSender({ ...task, settings }, sender) };
  });
}

/** @param replacements by the ids in the file; an empty one removes the connection */
function replaceConnection(
  task: NewWorkflow['tasks'][number],
  replacements: Readonly<Record<string, string>>,
): NewWorkflow['tasks'][number]['settings'] {
  const picked = listPicked(task);
  const connection = picked.find(({ from }) => from === 'connection');
  const replacement = typeof connection?.value === 'string' ? replacements[connection.value] : undefined;
  if (!connection || replacement === undefined) return task.settings;
  const dropped = picked.filter(({ from }) => IDS_OF_CONNECTION.includes(from)).map(({ name }) => name);
  const kept = Object.entries(task.settings).filter(
    ([name]) => name !== connection.name && !dropped.includes(name),
  );
  return Object.fromEntries(replacement ? [...kept, [connection.name, replacement]] : kept);
}

function readWorkflow(text: string): { workflow: NewWorkflow | null; problems: ImportProblem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      workflow: null,
      problems: [
        {
          path: '',
          where: undefined,
          message: `This is not JSON: ${(error as Error).message}. Export the workflow again, or correct the text.`,
        },
      ],
    };
  }
  const result = newWorkflowSchema.safeParse(value);
  if (result.success) return { workflow: toCurrentGraph(result.data), problems: [] };
  return {
    workflow: null,
    problems: result.error.issues.flatMap((issue) => toImportProblems(issue, value)),
  };
}

async function findProblems(workflow: NewWorkflow): Promise<readonly ImportProblem[]> {
  try {
    await checkGraph(toGraph(workflow), 'draft');
    return [];
  } catch (error) {
    if (error instanceof AppError)
      return error.problems.map((problem) => locateImportProblem(problem, workflow));
    throw error;
  }
}

function credentialsIn(
  { type, settings }: NewWorkflow['tasks'][number],
  index: number,
  workflow: NewWorkflow,
): ImportProblem[] {
  const definition = findTaskDefinition(type);
  if (!definition) return [];
  return listCredentialsInFile(definition, settings).map(({ path, message }) =>
    locateImportProblem({ path: `tasks[${index}].${path}`, message }, workflow),
  );
}

function findUnknown(workflow: NewWorkflow, known: ReadonlySet<string>): ImportCheck['unknownConnections'] {
  const byId = new Map<string, string[]>();
  for (const task of workflow.tasks) {
    for (const id of listConnectionIds(task).filter((each) => !known.has(each)))
      byId.set(id, [...(byId.get(id) ?? []), task.name ?? task.type]);
  }
  return [...byId].map(([id, taskNames]) => ({ id, taskNames }));
}
