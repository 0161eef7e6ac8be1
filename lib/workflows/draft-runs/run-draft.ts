import { and, eq, inArray } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { type DraftRunOptions, listKeptTasks } from '#lib/engine/draft-run.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { compileGraph, reachedPart } from '#lib/engine/graph.ts';
import { events, taskRuns } from '#lib/engine/schema/runs.ts';
import { startDraftRun } from '#lib/engine/store/start-draft-run.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { getEvent } from '#lib/events/read-events.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { getRun, loadRun } from '#lib/runs/get-run.ts';
import type { Run } from '#lib/runs/schema.ts';
import { describeForGraph } from '#lib/tasks/exits.ts';
import { checkItemsAtOnce } from '#lib/tasks/check-items-at-once.ts';
import { checkSettings, loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { titleOfSetting } from '#lib/tasks/marked-fields.ts';
import { lockWorkflow, type WorkflowRow } from '#lib/workflows/load-workflow.ts';
import { loadPins } from './pins.ts';
import type { DraftRunInput } from './schema.ts';

/**
 * Runs a workflow's draft without publishing it, with the engine of published versions. Side effects of its tasks are
 * captured (lib/engine/draft-run.ts), unless messages are let through to the user's own number, or requests to other services
 * are.
 * @throws AppError `not_found`; `invalid_request`; `invalid_workflow` when the graph cannot be executed; `conflict` when the
 *   draft is not at `draft_revision` any more
 */
export async function runDraft(ctx: ActorContext, input: DraftRunInput): Promise<Run> {
  const sendTo = input.send_to === null ? null : readOwnNumber(input.send_to);
  const runId = await ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, input.id);
    if (input.draft_revision !== undefined && input.draft_revision !== row.draftRevision)
      throw new AppError('conflict', 'The draft was just changed elsewhere. Review it and try again.');
    const draft = await toRunnableDraft(row.draft);
    const options: DraftRunOptions = {
      sendTo,
      callsServices: input.call_services,
      refusals: draft.refusals,
      pins: await loadPins(tx, row.id),
    };
    const started = await start(ctx, tx, { input, row, draft, options });
    await recordAudit(ctx, tx, 'workflow.draft_run', { id: row.id, name: row.name });
    return started;
  });
  return getRun(ctx, { id: runId });
}

async function start(
  ctx: ActorContext,
  tx: Transaction,
  {
    input,
    row,
    draft: { graph },
    options,
  }: { input: DraftRunInput; row: WorkflowRow; draft: RunnableDraft; options: DraftRunOptions },
): Promise<string> {
  const earlier = input.from && (await loadRun(ctx, input.from.run_id));
  if (earlier && earlier.workflow_id !== row.id)
    throw new AppError('not_found', 'This workflow has no such run.');
  if (input.from && !graph.tasks.some(({ id }) => id === input.from?.task_id))
    throw new AppError('invalid_request', 'The draft has no such task that the trigger leads to.');
  const eventId =
    input.sample_text === undefined
      ? await findRunEvent(ctx, row.id, input.event_id ?? earlier?.event_id)
      : await saveSample(tx, { workspaceId: row.workspaceId, workflowId: row.id, text: input.sample_text });
  const { draftRevision: revision, name, sealedBy } = row;
  return startDraftRun(tx, {
    workspaceId: row.workspaceId,
    workflowId: row.id,
    eventId,
    draft: { revision, name, sealedBy, graph },
    startedBy: ctx.actor,
    options,
    resumes:
      input.from && earlier
        ? {
            runId: earlier.id,
            taskIds: listKeptTasks(
              compileGraph(graph),
              input.from.task_id,
              await loadOutcomes(tx, earlier.id),
            ),
          }
        : undefined,
  });
}

function readOwnNumber(text: string): string {
  const { value, problem } = readRecipient(text);
  if (problem === undefined) return value.id;
  throw new AppError('invalid_request', problem, { problems: [{ path: 'send_to', message: problem }] });
}

export interface RunnableDraft {
  graph: WorkflowGraph;
  /** By task id: why the task fails when it is executed. */
  refusals: Record<number, string>;
}

/**
 * The part of a draft that can run: the tasks that the trigger leads to, with defaults filled in. An incomplete task does not
 * prevent a run: it fails when it is executed, with the message of the publish check.
 * @throws AppError `invalid_workflow` where the graph itself cannot be executed
 */
async function toRunnableDraft(draft: WorkflowGraph): Promise<RunnableDraft> {
  const { tasks, edges } = reachedPart(draft, ({ type }) => isTriggerType(type));
  const problems = validateGraph({ tasks, edges }, ({ type, settings }) =>
    describeForGraph(findTaskDefinition(type), settings),
  );
  if (problems.length > 0)
    throw new AppError('invalid_workflow', `The draft cannot run: ${problems[0]?.message ?? ''}`, {
      problems,
    });
  const furtherChecks = await loadFurtherChecks(tasks);
  const refusals: Record<number, string> = {};
  const overlaps = new Map(checkItemsAtOnce({ tasks, edges }).map(({ task, ...found }) => [task.id, found]));
  const completed = tasks.map((task): WorkflowTask => {
    const definition = findTaskDefinition(task.type);
    if (!definition) return task;
    const checked = checkSettings(definition, task.settings, 'publish', furtherChecks);
    const problem = checked.problems[0] ?? overlaps.get(task.id);
    if (problem) {
      const title = titleOfSetting(definition.settings, problem.path);
      refusals[task.id] = title === undefined ? problem.message : `${title}: ${problem.message}`;
    }
    return checked.settings ? { ...task, settings: checked.settings } : task;
  });
  return { graph: { tasks: completed, edges }, refusals };
}

/** The tasks of a run, outside loops, that succeeded or were skipped. */
async function loadOutcomes(tx: Transaction, runId: string): Promise<Map<number, 'succeeded' | 'skipped'>> {
  const { taskId, iteration, status } = taskRuns;
  const rows = await tx
    .select({ taskId, status })
    .from(taskRuns)
    .where(and(eq(taskRuns.runId, runId), eq(iteration, ''), inArray(status, ['succeeded', 'skipped'])));
  return new Map(rows.map((row) => [row.taskId, row.status === 'skipped' ? 'skipped' : 'succeeded']));
}

/** An event that a draft can run with. @throws AppError `not_found`; `invalid_request` */
async function findRunEvent(ctx: Context, workflowId: string, eventId: string | undefined): Promise<string> {
  if (eventId === undefined)
    throw new AppError('invalid_request', 'Select an event, or enter a sample to run the draft with.');
  const event = await getEvent(ctx, { id: eventId });
  if (event.workflow_id !== workflowId) throw new AppError('not_found', 'This workflow has no such event.');
  if (event.outcome === 'rejected' || event.body_format !== 'json')
    throw new AppError('invalid_request', 'The body of this event cannot be used. Select another event.');
  return event.id;
}

/**
 * Saves the user's sample as an event of the test URL, so that it can be selected again.
 * @throws AppError `invalid_request`
 */
async function saveSample(
  tx: Transaction,
  { workspaceId, workflowId, text }: { workspaceId: string; workflowId: string; text: string },
): Promise<string> {
  assertSample(text);
  const id = newId();
  await tx.insert(events).values({
    id,
    workspaceId,
    workflowId,
    kind: 'test',
    outcome: 'tested',
    receivedAt: new Date(),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  });
  return id;
}

function assertSample(text: string): void {
  try {
    if (isJsonObject(parseJson(text))) return;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalid(`The sample is not valid JSON: ${error.message}`);
  }
  throw invalid('The sample must be a JSON object, such as {"phone": "4915112345678"}.');
}

const invalid = (message: string): AppError =>
  new AppError('invalid_request', message, { problems: [{ path: 'body', message }] });
