// A question in three steps: it is sent and waits; reminders and texts for unexpected answers are sent while it waits; the
// answer, or its absence, decides the exit. Everything between two waits is in the task run's memory.
import type { Pool } from '#lib/core/db/client.ts';
import { isCaptured } from '#lib/messaging/sending/captured-id.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { TaskContext, TaskExecutor, TaskResult } from '#lib/engine/task-executor.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import { findWindow, isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import { customerKey } from '#lib/messaging/customers/customer-names.ts';
import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { readDuration } from '#lib/tasks/durations.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ActionCall, type MessagingDeps, type SentOutput } from '../call.ts';
import { withAcceptance } from '#lib/tasks/messaging-business/delivery/settings.ts';
import { isOutsideWindow, toTaskError } from '../failures.ts';
import { isHeld, executeSend } from '../suppressed.ts';
import { accept } from '../fields.ts';
import { findSlots } from '../fill-template.ts';
import { readTemplateName } from '#lib/tasks/messaging-business/send-messages.ts';
import { askAndWait } from './definition.ts';
import { afterPause, silenceWords, withPauses } from './deadline.ts';
import { NO_ANSWER, OTHER, UNDELIVERED, WINDOW_CLOSED } from './exits.ts';
import type { Expected } from './expected-answer.ts';
import { findFit, mayAskAgain, meetsConditions, textOfRetry } from './fit-answer.ts';
import {
  askedAgain,
  leftOutWords,
  type Memory,
  readMemory,
  startMemory,
  toKept,
  withSaid,
} from './memory.ts';
import { type AskedQuestion, toQuestion, toRepeat, toSending } from './question.ts';
import {
  type Answer,
  isSince,
  readAnswers,
  readFailure,
  readRecipientNow,
  toGiven,
  toSaidOf,
} from './read-answer.ts';
import type { AskSettings } from './settings.ts';

const WAITING = 'Waiting for the customer’s answer.';

/** A wait with a pause is open until its task is executed, however short the pause. */
const SHORTEST_PAUSE_MS = 1;

type Ask = TaskContext<AskSettings>;

const otherWords = ({ answer_by: by }: AskSettings): string =>
  by === 'text' ? 'The answer is not what is expected.' : 'Another answer was given.';

/** @param load returns the dependencies; called at each execution. */
export function createAskExecutor(load: () => Promise<MessagingDeps>): TaskExecutor {
  return executorOf(askAndWait, {
    execute: async (context) => {
      const deps = await load();
      let call: AskCall | undefined;
      return executeSend(context, deps.hot, {
        send: (task) => (call = new AskCall(task, deps)).execute(),
        outputOf: () => call?.outputUnsent,
      });
    },
    hasSideEffect: () => true,
    ifInterrupted: () => 'flag',
  });
}

class AskCall {
  readonly #task: Ask;
  readonly #call: ActionCall;
  readonly #pool: Pool;
  #target: ReturnType<ActionCall['target']>;
  #hasStopped = false;
  /** The output where a message was not sent. */
  outputUnsent: JsonObject = {};

  constructor(task: Ask, deps: MessagingDeps) {
    this.#task = task;
    this.#pool = deps.hot;
    this.#call = new ActionCall({ ...task, settings: toSending(task.settings) }, deps);
    this.#call.connectionId();
    this.#target = this.#call.target();
  }

  async execute(): Promise<TaskResult> {
    const { resumed } = this.#task;
    if (!resumed) return this.#ask();
    const memory = this.#follow(readMemory(resumed.memory), resumed.signals);
    const answers = this.#read(resumed.signals, memory);
    if (answers.length > 0) return this.#take(answers, memory);
    const errors = readFailure(resumed.signals, memory.lastMessageId);
    if (errors !== undefined)
      return this.#end(memory, UNDELIVERED.name, 'The question could not be delivered.', { errors });
    return this.#remind(memory);
  }

  /** The customer may have another number, or another user id, than when they were asked. */
  #follow(memory: Memory, signals: readonly JsonValue[]): Memory {
    const recipient = readRecipientNow(signals, memory.recipient);
    this.#target = { ...this.#target, recipient };
    return { ...memory, recipient };
  }

  async #ask(): Promise<TaskResult> {
    const { fields } = this.#call;
    const isTemplate = this.#task.settings.answer_by === 'template';
    const question = this.#question(
      isTemplate ? await findSlots(this.#call, readTemplateName(fields)) : undefined,
    );
    const { recipient } = this.#target;
    const memory = startMemory(recipient, this.#task.now.getTime());
    this.#schedule(memory);
    if (question.message.type !== 'template' && (await this.#isClosed())) return this.#windowClosed(memory);
    this.#listen();
    try {
      const { message_id: messageId, message_status: messageStatus = '' } = await this.#send(
        question.message,
      );
      const asked = { ...memory, messageId, lastMessageId: messageId, messageStatus };
      const sent = withSaid(asked, this.#toSaid(question.said, messageId));
      if (!isCaptured(messageId))
        return this.#wait(sent, `${withAcceptance('Question sent.', messageStatus)} ${WAITING}`);
      const text = 'Test run: nobody was asked. Pin an output to continue by another exit.';
      return this.#end(sent, NO_ANSWER.name, text);
    } catch (error) {
      return this.#notSent(error, memory);
    }
  }

  /** Without a pause that combines messages, the first one that is an answer counts. */
  #read(signals: readonly JsonValue[], memory: Memory): Answer[] {
    return readAnswers(signals, memory, this.#task.settings.pause_seconds > 0);
  }

  async #take(answers: readonly Answer[], before: Memory): Promise<TaskResult> {
    const memory = withSaid(before, ...answers.flatMap(toSaidOf));
    const isText = this.#task.settings.answer_by === 'text';
    const fit = findFit(answers, {
      titles: isText ? undefined : this.#question().titles,
      expected: this.#expected(),
      holds: (given) => meetsConditions(this.#task, given),
    });
    if (fit) return this.#end(memory, fit.branch, fit.runText, fit.given);
    // What was written to an earlier question, and comes late, does not use up a repeat.
    if (!answers.some((answer) => isSince(answer, memory.lastAskedAt))) return this.#remind(memory);
    return this.#askAgain(memory, toGiven(answers.at(-1)));
  }

  async #askAgain(memory: Memory, given: JsonObject): Promise<TaskResult> {
    const { settings, now } = this.#task;
    const text = textOfRetry(settings, memory.retries);
    const isOver = memory.retries >= settings.max_retries || this.#deadline(memory) <= now.getTime();
    if (isOver || !mayAskAgain(settings) || this.#render(text).trim() === '')
      return this.#end(memory, OTHER.name, otherWords(settings), given);
    try {
      const { message, said } = toRepeat(settings, text, { render: this.#render, task: this.#task });
      const sent = await this.#say(message, said, memory);
      const again = askedAgain(sent.memory, { messageId: sent.messageId, at: now.getTime() });
      return this.#wait(again, 'Asked again: the answer was not what is expected.');
    } catch (error) {
      return this.#notSent(error, memory);
    }
  }

  async #remind(before: Memory): Promise<TaskResult> {
    const { memory, pausedUntil } = await withPauses(this.#pool, this.#task, before);
    if (pausedUntil !== undefined)
      return this.#wait(memory, `${WAITING} Its time limit is paused by a hold.`, pausedUntil);
    const due = this.#schedule(memory)[memory.reminders];
    const now = this.#task.now.getTime();
    if (!due || due.at > now || this.#deadline(memory) <= now) {
      if (this.#deadline(memory) > now) return this.#wait(memory, WAITING);
      const silence = await silenceWords(this.#call);
      const late = this.#read(await this.#stopListening(), memory);
      if (late.length > 0) return this.#take(late, memory);
      return this.#end(memory, NO_ANSWER.name, `No answer in time.${leftOutWords(memory)}${silence}`);
    }
    const reminders = memory.reminders + 1;
    const leaveOut = (why = `the customer’s ${WINDOW_HOURS}-hour window is closed`): TaskResult => {
      const runText = `Reminder ${reminders} left out: ${why}. Waiting for the customer’s answer.`;
      return this.#wait({ ...memory, reminders, leftOut: memory.leftOut + 1 }, runText);
    };
    if (await this.#isClosed()) return leaveOut();
    try {
      const said = { text: due.text, choices: [], template: '' };
      const message = { type: 'text' as const, body: due.text, previewUrl: false };
      const sent = await this.#say(message, said, { ...memory, reminders });
      return this.#wait(sent.memory, `Reminder ${reminders} sent.`);
    } catch (error) {
      if (isHeld(error)) return leaveOut('the customer is on hold');
      if (!isOutsideWindow(error)) return this.#notSent(error, memory);
      await this.#call.withdraw();
      return leaveOut();
    }
  }

  /** Sends something while it waits. */
  async #say(
    message: OutgoingMessage,
    words: AskedQuestion['said'],
    memory: Memory,
  ): Promise<{ memory: Memory; messageId: string }> {
    this.#listen();
    const { message_id: messageId } = await this.#send(message);
    return { memory: withSaid(memory, this.#toSaid(words, messageId)), messageId };
  }

  #send(message: OutgoingMessage): Promise<SentOutput> {
    return this.#call.send(message, this.#target);
  }

  /** Whether texts cannot be sent now. The recipient of a template may never have written. */
  async #isClosed(): Promise<boolean> {
    const { recipient, phoneNumberId } = this.#target;
    const window = await findWindow(this.#call.ctx, { phoneNumberId, customer: recipient });
    return window ? isWindowClosed(window, this.#task.now) : this.#task.settings.answer_by === 'template';
  }

  /** The exit for the reason why a message could not be sent. @throws TaskError */
  async #notSent(error: unknown, memory: Memory): Promise<TaskResult> {
    if (isOutsideWindow(error)) return this.#windowClosed(memory);
    if (error instanceof PlatformError && error.kind === 'undeliverable')
      return this.#end(memory, UNDELIVERED.name, error.message);
    const action = this.#task.settings.answer_by === 'template' ? 'send_template' : 'send_text';
    this.outputUnsent = this.#output(memory);
    throw toTaskError(error, action, this.#call.findConnectionId());
  }

  #listen(): void {
    const { if_several: rule, pause_seconds: pause } = this.#task.settings;
    const { phoneNumberId, recipient } = this.#target;
    const quietMs = Math.max(pause * 1000, mayAskAgain(this.#task.settings) ? SHORTEST_PAUSE_MS : 0);
    this.#task.listen({ key: customerKey(phoneNumberId, recipient), rule, quietMs });
  }

  async #stopListening(): Promise<JsonValue[]> {
    if (this.#hasStopped) return [];
    this.#hasStopped = true;
    return (await this.#task.resumed?.stopListening()) ?? [];
  }

  /** @param pausedUntil the end of the hold during which the time is suspended; Infinity: not known */
  #wait(memory: Memory, runText: string, pausedUntil?: number): TaskResult {
    this.#listen();
    const next = this.#schedule(memory)[memory.reminders];
    const deadline = this.#deadline(memory);
    const isReminded = next !== undefined && next.at < deadline;
    const dueAt = isReminded ? next.at : deadline;
    const until = new Date(afterPause(dueAt, this.#task.now.getTime(), pausedUntil));
    const keepsListening = isReminded || mayAskAgain(this.#task.settings);
    return {
      kind: 'listen',
      until,
      keepsListening,
      memory: toKept(memory),
      output: this.#output(memory),
      runText,
    };
  }

  #windowClosed(memory: Memory): Promise<TaskResult> {
    const text = `Window closed: the customer has not written in the last ${WINDOW_HOURS} hours.`;
    return this.#end(memory, WINDOW_CLOSED.name, text);
  }

  /** Later messages are part of the conversation, but no longer change the exit. */
  async #end(memory: Memory, branch: string, runText: string, more: JsonObject = {}): Promise<TaskResult> {
    const since = this.#read(await this.#stopListening(), memory).flatMap(toSaidOf);
    return {
      kind: 'done',
      branch,
      runText,
      output: { ...this.#output(withSaid(memory, ...since)), ...more },
    };
  }

  #output(memory: Memory): JsonObject {
    const { messageId, messageStatus, recipient, reminders, leftOut, said, retries } = memory;
    const none = { answer: '', choice: '', answer_type: '', message: null };
    return {
      message_id: messageId,
      ...(messageStatus === '' ? {} : { message_status: messageStatus }),
      recipient,
      ...none,
      reminders_sent: memory.earlierReminders + reminders - leftOut,
      times_asked: retries + 1,
      conversation: said.map((each) => ({ ...each })),
      waits_until: new Date(this.#deadline(memory)).toISOString(),
      ...this.#target.note,
    };
  }

  /** When the wait for the answer to the current question is over. */
  #deadline({ waitsFrom }: Memory): number {
    const { wait_amount: amount, wait_unit: unit } = this.#task.settings;
    return waitsFrom + accept(readDuration(this.#evaluate(amount), unit));
  }

  /** The reminders with their times. @throws TaskError for an invalid duration */
  #schedule(memory: Memory): { at: number; text: string }[] {
    this.#deadline(memory);
    return this.#task.settings.reminders
      .map(({ amount, unit, text }) => ({
        at: memory.waitsFrom + accept(readDuration(this.#evaluate(amount), unit)),
        text: this.#render(text),
      }))
      .toSorted((a, b) => a.at - b.at);
  }

  #expected(): Expected {
    const { answer_kind: kind, accepted_answers, number_format, date_order } = this.#task.settings;
    const accepted = this.#render(accepted_answers);
    return { kind, accepted, numberFormat: number_format, dateOrder: date_order };
  }

  /** @param slots of its message template; left out: only the buttons are needed */
  #question(slots?: readonly TemplateSlot[]): AskedQuestion {
    const { settings } = this.#task;
    return toQuestion(settings, { render: this.#render, fields: this.#call.fields, task: this.#task, slots });
  }

  #toSaid(words: AskedQuestion['said'], messageId: string): SaidMessage {
    return { by: 'business', at: this.#task.now.toISOString(), kind: '', ...words, id: messageId };
  }

  readonly #render = (text: string): string => renderSetting(text, this.#task.scope, 'none');

  #evaluate(setting: JsonValue): JsonValue | undefined {
    return evaluateSetting(setting, this.#task.scope);
  }
}
