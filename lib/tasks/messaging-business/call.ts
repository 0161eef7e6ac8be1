// The context of every action of a task run.
import { setTimeout as sleep } from 'node:timers/promises';
import { toCapturedId } from '#lib/messaging/sending/captured-id.ts';
import { about } from '#lib/core/log-fields.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { isRefusedToken, withAccessToken } from '#lib/messaging/connections/tokens/access-token.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { type SideEffect, type TaskContext, TaskError } from '#lib/engine/task-executor.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { recordOptOut } from '#lib/messaging/consent/consents.ts';
import { findCategory } from '#lib/messaging/message-templates/find-template-facts.ts';
import { keepRequestedCategory } from '#lib/messaging/message-templates/edit-message-templates.ts';
import { recordSentTogether, type SentMessage } from '#lib/messaging/sending/record-sent.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import { MarketingPlace } from '#lib/messaging/sending/marketing-limit.ts';
import { limitsOf, slowDown, takeTurn } from '#lib/messaging/sending/take-turn.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { type OutgoingMessage, sendMessage } from '#lib/messaging/platform/messages.ts';
import { findExceededRate } from '#lib/messaging/platform/error-table.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { SendLimits } from '#lib/messaging/platform/settings.ts';
import type { MessagingBusinessSettings } from './definition.ts';
import { noConnection } from './failures.ts';
import { assertMaySend, sendRecorded } from './suppressed.ts';
import { accept, Fields } from './fields.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';

export type MessagingDeps = Pick<
  MessagingRuntime,
  'db' | 'hot' | 'secrets' | 'platform' | 'baseUrl' | 'logger'
>;

export interface ActionResult {
  output: JsonObject;
  runText: string;
}

/** Common fields of every send's output. */
export type SentOutput = { message_id: string; message_status?: string };

/** Common fields of all actions' settings; some actions only need a part. */
interface SenderSettings {
  action: string;
  app_connection_id?: string | undefined;
  business_account_id?: string | undefined;
  phone_number_id?: string | undefined;
  recipient?: string | undefined;
  written_by?: 'workflow' | 'person' | undefined;
}

/** Whom a message is sent to, and from which number. */
interface MessageTarget {
  phoneNumberId: string;
  recipient: string;
}

/** Of a number, where the platform does not say how long to wait. */
const SLOWDOWN_SECONDS = 1;
/** Then a message is tried again, whatever the platform says. */
const LONGEST_SLOWDOWN_SECONDS = 60;

export class ActionCall<Settings extends SenderSettings = MessagingBusinessSettings> {
  readonly action: Settings['action'];
  readonly fields: Fields<Settings>;
  /** `pool`: for the statements that messages sent at the same time share. */
  readonly ctx: MessagingContext & { pool: Pool };
  readonly #task: TaskContext<Settings>;
  readonly #deps: MessagingDeps;
  #statusKey: string | undefined;

  constructor(task: TaskContext<Settings>, deps: MessagingDeps) {
    const { db, hot: pool, secrets, platform, baseUrl } = deps;
    this.action = task.settings.action;
    this.fields = new Fields(task.settings, task.scope);
    this.ctx = { db, pool, secrets, platform, baseUrl, workspaceId: task.workspaceId };
    this.#task = task;
    this.#deps = deps;
  }

  get #isByPerson(): boolean {
    return this.#task.settings.written_by === 'person';
  }

  get now(): Date {
    return this.#task.now;
  }

  /** @throws TaskError "No app connection selected" */
  connectionId(): string {
    const id = this.fields.text('app_connection_id');
    if (id === '') throw noConnection('select one, or check the variable that provides its ID.');
    if (!isId(id)) throw noConnection('the app_connection_id is not the id of a connection.');
    return id;
  }

  /** The same where it may be missing. */
  findConnectionId(): string | undefined {
    const id = this.fields.text('app_connection_id');
    return isId(id) ? id : undefined;
  }

  /** Queries the platform. */
  withToken<Result>(call: (access: GraphAccess) => Promise<Result>): Promise<Result> {
    return withAccessToken(this.ctx, this.connectionId(), call);
  }

  /** Changes something of the account at the platform. */
  change<Result>(
    effect: Pick<SideEffect<Result>, 'shown' | 'instead'>,
    call: (access: GraphAccess) => Promise<Result>,
  ): Promise<Result> {
    return this.#task.changeOutside({ ...effect, target: { kind: 'account' } }, () =>
      this.withToken((access) => this.#recorded(access, call)),
    );
  }

  /** Right before a message is sent, a wait for its statuses is opened under this key, which is returned with them. */
  listenForStatus(key: string): void {
    this.#statusKey = key;
  }

  /** Sends a message at its turn, and records its id. */
  send(message: OutgoingMessage, target: MessageTarget): Promise<SentOutput> {
    const { phoneNumberId, recipient } = target;
    const effect: SideEffect<SentOutput> = {
      target: { kind: 'person', id: recipient },
      shown: () => ({
        kind: 'message',
        connection_id: this.connectionId(),
        account_id: this.fields.text('business_account_id'),
        phone_number_id: phoneNumberId,
        recipient,
        message: parseJson(JSON.stringify(message)),
      }),
      instead: () => ({ message_id: toCapturedId(newId()) }),
    };
    return this.#task.changeOutside(effect, (person) =>
      this.#sendNow(message, { phoneNumberId, recipient: person }),
    );
  }

  /** The platform refused the recorded send, and another one is attempted: until it starts, no side effect is in progress. */
  withdraw(): Promise<void> {
    return this.#task.withdrawSideEffect();
  }

  async #sendNow(message: OutgoingMessage, target: MessageTarget): Promise<SentOutput> {
    await this.#waitForTurn(target);
    const { phoneNumberId, recipient } = target;
    const callbackData = this.#statusKey;
    const { workspaceId } = this.ctx;
    const place = new MarketingPlace(this.ctx.pool, { workspaceId, recipient });
    if (callbackData !== undefined) this.#task.listen({ key: callbackData });
    const { messageId, messageStatus, number } = await this.withToken((access) =>
      this.#recorded(
        access,
        (recording) =>
          place.holdFor(() => sendMessage(recording, phoneNumberId, recipient, message, { callbackData })),
        () => this.#assertMaySend(message, recipient, place),
      ),
    ).catch(async (error: unknown) => {
      await this.#slowDown(error, target);
      await this.#noteOptOut(error, target);
      throw error;
    });
    const { runId, workflowId, taskId, iteration } = this.#task;
    await this.#remember({
      messageId,
      messageStatus,
      connectionId: this.connectionId(),
      phoneNumberId,
      recipient,
      number,
      kind: message.type,
      templateName: message.type === 'template' ? message.name : undefined,
      isByPerson: this.#isByPerson || undefined,
      taskRun: { runId, workflowId, taskId, iteration },
    });
    return { message_id: messageId, ...(messageStatus === '' ? {} : { message_status: messageStatus }) };
  }

  /** Records the side effect as late as possible: once the connection is established, right before the request. */
  #recorded<Result>(
    access: GraphAccess,
    call: (access: GraphAccess) => Promise<Result>,
    assertAllowed?: () => Promise<void>,
  ): Promise<Result> {
    const send = (beforeSending: () => Promise<void>): Promise<Result> => call({ ...access, beforeSending });
    return sendRecorded(this.#task, send, { assertAllowed, hadNoEffect: isRefusedToken });
  }

  #assertMaySend(message: OutgoingMessage, recipient: string, place: MarketingPlace): Promise<void> {
    const { workspaceId, secrets } = this.ctx;
    return assertMaySend(
      this.ctx.pool,
      { workspaceId, secrets, recipient, runId: this.#task.runId },
      {
        isTemplate: message.type === 'template',
        isByPerson: this.#isByPerson,
        findCategory: () => this.#findCategory(message),
        place,
      },
    );
  }

  async #findCategory(message: OutgoingMessage): Promise<string | undefined> {
    if (message.type !== 'template') return undefined;
    const { name, language } = message;
    const businessAccountId = this.fields.text('business_account_id');
    const connectionId = this.connectionId();
    return findCategory(this.ctx, { connectionId, businessAccountId, name, language });
  }

  /** The platform knows of a stop that is not in the register yet. */
  async #noteOptOut(error: unknown, { recipient }: MessageTarget): Promise<void> {
    if (!(error instanceof PlatformError) || error.kind !== 'opted_out') return;
    const { runId, taskId } = this.#task;
    try {
      await retryWhileUnavailable(() => recordOptOut(this.ctx, { recipient, runId, taskId }));
    } catch (problem) {
      this.#deps.logger.error({ err: problem, ...about({ runId, taskId }) }, 'a stop could not be recorded');
    }
  }

  /** Sender and recipient, checked before any call. @throws TaskError */
  target(): { phoneNumberId: string; recipient: string; note: JsonObject } {
    const phoneNumberId = this.fields.required('phone_number_id');
    const { id, note } = accept(readRecipient(this.fields.required('recipient')), 'invalid_recipient');
    return { phoneNumberId, recipient: id, note: note === undefined ? {} : { note } };
  }

  /** A message that the platform refused because of a rate delays those that follow. */
  async #slowDown(error: unknown, target: MessageTarget): Promise<void> {
    if (!(error instanceof PlatformError)) return;
    const exceeded = findExceededRate(error.facts.code);
    if (exceeded === undefined) return;
    const { platform, logger } = this.#deps;
    const usual = exceeded === 'pair' ? platform.limits.pairRefillSeconds : SLOWDOWN_SECONDS;
    const seconds = Math.min(error.facts.retryAfterSeconds ?? usual, LONGEST_SLOWDOWN_SECONDS);
    try {
      const limits = await this.#limitsOf(target);
      await slowDown(this.ctx.pool, { ...target, limits }, exceeded, seconds);
    } catch (problem) {
      logger.warn({ err: problem }, 'a number could not be slowed down');
    }
  }

  #limitsOf({ phoneNumberId }: MessageTarget): Promise<SendLimits> {
    const ids = { connectionId: this.connectionId(), phoneNumberId };
    return limitsOf(this.ctx.pool, ids, this.#deps.platform.limits);
  }

  async #waitForTurn(target: MessageTarget): Promise<void> {
    const { phoneNumberId, recipient } = target;
    const { runId, taskId, iteration, attempt, isRepeat } = this.#task;
    const turn = await takeTurn(this.ctx.pool, {
      phoneNumberId,
      recipient,
      turnKey: `${runId}:${taskId}:${iteration}`,
      isFirstAttempt: attempt === 1 && isRepeat !== true,
      limits: await this.#limitsOf(target),
    });
    if (turn.kind === 'later') {
      const message = `Many messages are queued for this number: this one is sent in ${Math.ceil(turn.seconds)} seconds.`;
      throw new TaskError('rate_exceeded', message, { retry: { kind: 'put_off', seconds: turn.seconds } });
    }
    if (turn.waitMs > 0) await sleep(turn.waitMs);
  }

  /** The template is created: even if recording the requested category fails, the task succeeded. */
  async keepRequestedCategory(templateId: string, category: string): Promise<void> {
    try {
      await retryWhileUnavailable(() => keepRequestedCategory(this.ctx, { templateId, category }));
    } catch (error) {
      this.#deps.logger.error({ err: error }, 'the requested category of a template could not be recorded');
    }
  }

  /** The message is sent: even if recording it fails, the task succeeded. */
  async #remember(message: SentMessage): Promise<void> {
    try {
      await retryWhileUnavailable(() => recordSentTogether(this.ctx, message));
    } catch (error) {
      this.#deps.logger.error(
        { err: error, ...about({ messageId: message.messageId, ...message.taskRun }) },
        'a sent message could not be recorded',
      );
    }
  }
}
