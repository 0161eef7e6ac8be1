// For tests of alerts: a workspace with an owner, an engine that fails runs, and mail that is set up.
import { pino } from 'pino';
import { newId } from '#lib/core/ids.ts';
import { parseSettings } from '#lib/core/env.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { mailBinding, mailContentSchema } from '#lib/mail/queue-mail.ts';
import { mails } from '#lib/mail/schema.ts';
import type { Alert } from '../alert-types.ts';
import { listAlerts } from '../list-alerts.ts';
import type { AlertRuntime } from '../runtime.ts';

export class AlertWorld {
  readonly ctx: ActorContext;
  readonly engine: TestEngine;
  runtime: AlertRuntime;
  readonly #context: TestContext;

  constructor(context: TestContext) {
    this.#context = context;
    this.ctx = context.ctx;
    this.engine = new TestEngine(this.ctx);
    this.engine.call = () => {
      throw new TaskError('http_status', 'The shop answered 404 for +49 171 5550123, 491715550123.');
    };
    const { db, secrets, baseUrl } = this.ctx;
    const settings = parseSettings({
      DATABASE_URL: 'postgres://unused',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'patchbay@example.com',
    });
    this.runtime = { db, secrets, baseUrl, settings, logger: pino({ level: 'silent' }) };
  }

  static async open(): Promise<AlertWorld> {
    const world = new AlertWorld(await createTestContext());
    await world.addMember('owner@example.com', 'owner');
    return world;
  }

  get stranger(): ActorContext {
    return this.#context.stranger;
  }

  end(): Promise<void> {
    return this.#context.end();
  }

  /** @returns the id of the user */
  async addMember(email: string, role: Role): Promise<string> {
    const userId = newId();
    await this.ctx.db.insert(users).values({ id: userId, email });
    await this.ctx.db.insert(memberships).values({ workspaceId: this.ctx.workspaceId, userId, role });
    return userId;
  }

  publish(name = 'Orders'): Promise<Workflow> {
    return this.engine.publish({ ...callingGraph(), name });
  }

  /** An event whose run fails. @returns the run's id */
  async fail(workflow: Workflow): Promise<string> {
    const { runId } = await this.engine.receive(workflow);
    await this.engine.advance(runId);
    return runId;
  }

  /** Recorded alerts, oldest first. */
  async alerts(ctx: Pick<ActorContext, 'db' | 'workspaceId'> = this.ctx): Promise<Alert[]> {
    return (await listAlerts(ctx, { limit: 100 })).data.toReversed();
  }

  /** Queued mails, oldest first. */
  async mails(): Promise<{ to: string; subject: string; text: string }[]> {
    const rows = await this.ctx.db.select().from(mails).orderBy(mails.id);
    return rows.map(({ id, recipient, subject, content }) => ({
      to: recipient,
      subject,
      text: mailContentSchema.parse(JSON.parse(this.ctx.secrets.open(content ?? '', mailBinding(id)))).text,
    }));
  }
}
