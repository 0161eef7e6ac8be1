// One play: its scenario, and the actions of callers and users.
import { RECURRING_TASKS, type RecurringTask } from '#lib/engine/queue/recurring.ts';
import type { Logger } from 'pino';
import { AppError } from '#lib/core/errors.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';
import { Installation, type Sabotage } from './installation.ts';
import { isOver, OFTEN } from './open-work.ts';
import { type Lane, silent } from './lane.ts';
import type { Struck } from './point.ts';
import type { Scenario } from './scenario.ts';
import type { Web } from './start-processes.ts';

const CALLER_TRIES = 6;

export interface Acknowledged {
  eventId: string;
  status: number;
}

export class Stage extends Installation {
  readonly id: string;
  /** Recipient of messages in this play. */
  readonly recipient: string;
  readonly scenario: Scenario;
  readonly acknowledged: Acknowledged[] = [];
  /** Preparations of the scenario. */
  readonly prepared: Record<string, string> = {};
  #tries = 1;

  constructor(
    lane: Lane,
    id: string,
    scenario: Scenario,
    struck: readonly Struck[],
    sabotage: Sabotage = {},
  ) {
    super(lane, struck, sabotage);
    this.id = `p${id}`;
    this.recipient = `15${id.padStart(9, '0')}`;
    this.scenario = scenario;
  }

  get url(): string {
    return this.lane.service.url;
  }

  get logger(): Logger {
    return silent;
  }

  /** Marker of the current webhook. */
  get currentMark(): string {
    return `${this.id}x${this.#tries}`;
  }

  async prepare(): Promise<void> {
    const { scenario, lane } = this;
    // It is written once a minute: each play writes it, whichever play ended before.
    await lane.control.query('update connections set last_notification_at = null');
    // What an earlier play of the lane left.
    await lane.control.query('update workspaces set max_concurrent_runs = null');
    await scenario.prepare?.(this);
    const trigger = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: scenario.trigger ?? {} };
    const tasks = [trigger, ...scenario.tasks(this)];
    const chain = tasks.slice(1).map(({ id }, index) => ({ from: tasks[index]?.id ?? 1, to: id }));
    const graph = { tasks, edges: scenario.edges ?? chain };
    this.workflow = await insertWorkflow(lane.control, graph, lane.workspaceId);
    this.launch('web');
  }

  /** A caller retries until a response confirms that its webhook is stored. */
  async post(): Promise<WebhookAnswer | undefined> {
    for (let tries = 0; tries < CALLER_TRIES; tries += 1) {
      const body = { mark: this.currentMark, to: this.recipient, ...this.scenario.body?.(this) };
      this.#tries += 1;
      const answer = await this.#ask((web) => web.webhooks.receive(this.#request(body)));
      if (!answer || answer.status === 429 || answer.status === 503) continue;
      const eventId = answer.headers['X-Event-Id'] ?? '';
      this.acknowledged.push({ eventId, status: answer.status });
      return answer;
    }
    this.violations.push('no webhook was ever answered');
    return undefined;
  }

  #request(body: object) {
    const bytes = Buffer.from(JSON.stringify(body));
    return {
      kind: 'production' as const,
      token: this.workflow.token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      declaredBytes: bytes.byteLength,
      readBody: async (collect: (chunk: Uint8Array) => boolean) => {
        collect(bytes);
        return true;
      },
    };
  }

  startWorker(): void {
    this.launch('worker');
  }

  /** Stops every worker, as a launcher does, one after the other; each is replaced by a new one. */
  async stopWorkers(): Promise<void> {
    await this.waitFor(() => this.workers.size > 0);
    for (const [acting, worker] of this.workers) {
      this.workers.delete(acting);
      let hasStopped = false;
      void acting
        .run(() => worker.stop())
        .then(
          () => (hasStopped = true),
          () => (hasStopped = true),
        );
      await this.waitFor(() => hasStopped || acting.isDead);
      acting.die();
    }
  }

  /** A user's action in a web process, repeated without a response; "already done" counts as success. */
  async act(verb: (ctx: MessagingActorContext) => Promise<unknown>): Promise<void> {
    for (let tries = 0; tries < CALLER_TRIES; tries += 1) {
      const outcome = await this.#ask((web) =>
        verb(web.ctx).then(
          () => 'done',
          (error: unknown) => (error instanceof AppError ? 'refused' : undefined),
        ),
      );
      if (outcome !== undefined) return;
    }
    this.violations.push('what a user did was never answered');
  }

  /** @returns the response of a web process; undefined when it crashed */
  async #ask<Answer>(question: (web: Web) => Promise<Answer>): Promise<Answer | undefined> {
    await this.waitFor(() => this.web !== undefined && !this.web.process.isDead);
    const web = this.web;
    if (!web) return undefined;
    const outcome: { isKnown: boolean; answer?: Answer | undefined } = { isKnown: false };
    void Promise.race([web.process.run(() => question(web)), web.process.death.then(() => undefined)])
      .then((answer) => (outcome.answer = answer))
      .catch(() => undefined)
      .finally(() => (outcome.isKnown = true));
    await this.waitFor(() => outcome.isKnown, 'the answer of a web process');
    return outcome.answer;
  }

  /** Whether a worker has claimed a long run. */
  async isClaimed(): Promise<boolean> {
    return (await this.lane.control.query('select from run_claims')).rowCount !== 0;
  }

  /** Whether the workflow has no open work. @param mayWait waits of more than a minute do not count */
  isOver(mayWait = false): Promise<boolean> {
    return isOver(this.lane.control, this.workflow.workflowId, mayWait);
  }

  /** The recurring jobs exist, once each, and are due later; one with an interval of seconds may be due. */
  async assertRepeatedJobs(): Promise<void> {
    const { rows } = await this.lane.control.query<{ key: RecurringTask; is_later: boolean }>(
      `select key, locked_at is null and run_at > now() and run_at < now() + interval '1 month' as is_later
       from graphile_worker._private_jobs where key = any($1)`,
      [RECURRING_TASKS],
    );
    const kept = rows.filter(({ key, is_later }) => is_later || OFTEN.includes(key));
    if (kept.length !== RECURRING_TASKS.length)
      this.violations.push(`${kept.length} repeated jobs are left instead of ${RECURRING_TASKS.length}`);
  }

  /** Waits until the workflow has no open work, or only waits of more than a minute. */
  async until(goal: 'over' | 'waiting'): Promise<void> {
    const isReached = (): Promise<boolean> => this.isOver(goal === 'waiting');
    await this.waitFor(isReached, goal);
    if (await this.resumeStanding()) await this.waitFor(isReached, goal);
  }

  /** The ids of the workflow's runs, oldest first. */
  async runIds(): Promise<string[]> {
    const { rows } = await this.lane.control.query<{ id: string }>(
      'select id from runs where workflow_id = $1 order by created_at, id',
      [this.workflow.workflowId],
    );
    return rows.map(({ id }) => id);
  }
}
