// Drives runs in tests like a worker, one advance at a time, with an executor set by tests.
import type { Intake } from '#lib/webhooks/intake.ts';
import { findMarksOfBody } from '#lib/webhooks/find-line.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { systemClock } from '#lib/core/clock.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { RunStore } from '#lib/engine/engine-deps.ts';
import type { FindExecutor, TaskContext, TaskExecutor, TaskResult } from '#lib/engine/task-executor.ts';
import type { EventKind } from '#lib/engine/event-types.ts';
import { newId } from '#lib/core/ids.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { httpRequest } from '#lib/tasks/http-request/definition.ts';
import { withSecrets } from '#lib/tasks/with-secrets.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import type { NewWorkflow, Workflow } from '#lib/workflows/schema.ts';
import type { ActorContext } from '#lib/identity/context.ts';

export type Call = (context: TaskContext) => TaskResult | Promise<TaskResult>;

export const done = (output: Extract<TaskResult, { kind: 'done' }>['output'] = {}): TaskResult => ({
  kind: 'done',
  output,
  runText: 'Done.',
});

export class TestEngine {
  readonly #ctx: ActorContext;
  readonly #intake: Intake;
  readonly #store: RunStore;
  /** Executors of other task types, instead of the product's. */
  readonly executors = new Map<string, TaskExecutor>();
  /** How far its clock is ahead. */
  aheadMs = 0;
  /** The behavior of every HTTP request. */
  call: Call = () => done();

  constructor(ctx: ActorContext) {
    this.#ctx = ctx;
    this.#intake = createIntake(ctx.db.$client);
    this.#store = createRunStore(ctx.db.$client, newId());
  }

  async publish(drawn: NewWorkflow): Promise<Workflow> {
    const { id } = await createWorkflow(this.#ctx, drawn);
    return publishWorkflow(this.#ctx, { id });
  }

  /** An event like those of the doors. @returns its id and, where it was triggered, its run's. */
  async receive(
    workflow: Workflow,
    body: string | Buffer | null = '{}',
    more: {
      kind?: EventKind;
      refusal?: string;
      responseProblem?: string;
      headers?: Record<string, string>;
    } = {},
  ): Promise<{ eventId: string; runId: string }> {
    const [eventId, runId] = [newId(), newId()];
    const { id: workflowId, published_version: version } = workflow;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const received = { headers: more.headers ?? {}, receivedAt: new Date() };
    const marks =
      version === null || more.kind === 'test'
        ? {}
        : await findMarksOfBody(this.#ctx.db.$client, { workflowId, version }, () => bytes, received);
    await this.#intake({
      eventId,
      runId,
      tokenHash: hashToken(workflow.webhook.token),
      kind: more.kind ?? 'production',
      ...received,
      body: bytes,
      refusal: more.refusal ?? null,
      ...marks,
      response: version === null ? undefined : { version, problem: more.responseProblem ?? null },
    });
    return { eventId, runId };
  }

  /** Takes the run, if it is due, and advances it until it waits or is over. */
  async advance(runId: string, isSignaled = false): Promise<AdvanceOutcome | 'not due'> {
    const [run] = await this.#store.take([runId], isSignaled);
    if (!run) return 'not due';
    const graph = await this.#store.loadGraph(run.workflowId, run.version);
    const state = new RunState(
      run,
      graph,
      run.epoch === 1 ? [] : await this.#store.loadTaskRuns(runId, graph),
    );
    return advanceRun(state, {
      store: this.#store,
      draft: await this.#store.loadDraftOptions(run),
      clock: { now: () => new Date(systemClock.now().getTime() + this.aheadMs) },
      random: () => 0.5,
      stopping: new AbortController().signal,
      findExecutor: (type) => this.#findExecutor(type),
      renderAnswer: (_, failed) => ({ status: failed ? 500 : 200, contentType: 'text/plain', body: '' }),
      onUnexpectedError: (error) => {
        throw error;
      },
    });
  }

  readonly #findExecutor: FindExecutor = (type) =>
    type === 'http_request' ? this.#httpRequest : (this.executors.get(type) ?? findExecutor(type));

  readonly #httpRequest: TaskExecutor = withSecrets(
    {
      hasSideEffect: () => true,
      ifInterrupted: () => 'flag',
      execute: async (context) => {
        const effect = {
          target: { kind: 'service' as const, host: 'example.com' },
          shown: () => ({ kind: 'request', url: 'https://example.com' }),
          instead: () => done(),
        };
        return context.changeOutside(effect, async () => {
          await context.recordSideEffect();
          return this.call(context);
        });
      },
    },
    httpRequest,
    (workspaceId) => Promise.resolve({ pool: this.#ctx.db.$client, secrets: this.#ctx.secrets, workspaceId }),
  );
}
