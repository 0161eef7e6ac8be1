// A question in three steps: it is sent and waits; reminders and texts for unexpected answers are sent while it waits; the
// answer, or its absence, decides the exit. Everything between two waits is in the task run's memory.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { choiceId, customerKey, questionId } from '#lib/messaging/sending/signal-keys.ts';
import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ActionCall, type MessagingDeps } from '../call.ts';
import { messagingBusiness } from '../definition.ts';
import { toTaskError } from '../failures.ts';
import { accept } from '../fields.ts';
import { askAndWait, type AskSettings } from './definition.ts';
import { readDuration } from './durations.ts';
import { choiceBranch, NO_ANSWER, OTHER, UNDELIVERED, WINDOW_CLOSED, ANSWERED } from './exits.ts';
import { type Answer, isExpected, placeOfTitle, readAnswer, readFailure } from './read-answer.ts';
import { findQuestionProblems, type Question } from './rules.ts';

/** How often an unexpected answer is answered. */
const MAX_RETRIES = 3;

type Ask = TaskContext<AskSettings>;

/** What is kept while it waits. */
interface Memory {
  messageId: string;
  recipient: string;
  /** Milliseconds since 1970. */
  askedAt: number;
  reminders: number;
  retries: number;
}

/** @param load gives what is needed to run; asked at each execution. */
export function createAskExecutor(load: () => Promise<MessagingDeps>): TaskExecutor {
  return executorOf(askAndWait, {
    execute: async (context) => new AskCall(context, await load()).execute(),
    hasSideEffect: () => true,
    ifInterrupted: () => 'flag',
  });
}

class AskCall {
  readonly #task: Ask;
  readonly #call: ActionCall;
  readonly #target: ReturnType<ActionCall['target']>;

  constructor(task: Ask, deps: MessagingDeps) {
    this.#task = task;
    const { app_connection_id, phone_number_id, recipient } = task.settings;
    const sender = { action: 'send_text', app_connection_id, phone_number_id, recipient, message_text: '-' };
    this.#call = new ActionCall({ ...task, settings: messagingBusiness.settings.parse(sender) }, deps);
    this.#call.connectionId();
    this.#target = this.#call.target();
  }

  async execute(): Promise<TaskResult> {
    const { resumed } = this.#task;
    if (!resumed) return this.#ask();
    const memory = resumed.memory as unknown as Memory;
    const numbers = {
      ...memory,
      askedAt: Number(memory.askedAt),
      reminders: Number(memory.reminders),
      retries: Number(memory.retries),
    };
    const answer = readAnswer(resumed.signals);
    if (answer) return this.#take(answer, numbers);
    const errors = readFailure(resumed.signals);
    if (errors !== undefined)
      return this.#end(numbers, UNDELIVERED.name, 'The question could not be delivered.', { errors });
    return this.#remind(numbers);
  }

  async #ask(): Promise<TaskResult> {
    const question = this.#question();
    const [problem] = findQuestionProblems(question);
    if (problem) throw new TaskError('invalid_field', `${problem.path.join('.')}: ${problem.message}`);
    const { recipient, phoneNumberId } = this.#target;
    const memory: Memory = {
      messageId: '',
      recipient,
      askedAt: this.#task.now.getTime(),
      reminders: 0,
      retries: 0,
    };
    this.#schedule(memory);
    const window = await findWindow(this.#call.ctx, { phoneNumberId, customer: recipient });
    if (window && window.closesAt <= this.#task.now) return this.#windowClosed(memory);
    this.#listen();
    return this.#send(this.#toMessage(question), memory, (messageId) => {
      const sent = { ...memory, messageId };
      if (messageId.startsWith('captured.'))
        return this.#end(
          sent,
          NO_ANSWER.name,
          'Captured: nobody was asked. Pin an output to continue by another exit.',
        );
      return this.#wait(sent, 'Question sent. Waiting for the answer.');
    });
  }

  async #take(answer: Answer, memory: Memory): Promise<TaskResult> {
    const { by, choices } = this.#question();
    const titles = choices.map(({ title }) => title);
    const given = { answer: answer.text, answer_type: answer.type, message: answer.message };
    if (by !== 'text') {
      const place = answer.place ?? placeOfTitle(answer.text, titles);
      const choice = place === undefined ? undefined : titles[place];
      if (place === undefined || choice === undefined)
        return this.#end(memory, OTHER.name, 'Another answer was given.', given);
      return this.#end(memory, choiceBranch(place), `Answered: ${choice}`, {
        ...given,
        answer: choice,
        choice,
      });
    }
    const { answer_kind: kind, accepted_answers: accepted, retry_text: retryText } = this.#task.settings;
    if (isExpected(answer.text, kind, this.#render(accepted)))
      return this.#end(memory, ANSWERED.name, 'Answered.', given);
    const words = this.#render(retryText).trim();
    if (words === '' || memory.retries >= MAX_RETRIES || this.#deadline(memory) <= this.#task.now.getTime())
      return this.#end(memory, OTHER.name, 'The answer is not what is expected.', given);
    this.#listen();
    const again = { ...memory, retries: memory.retries + 1 };
    return this.#send(toText(words), again, () =>
      this.#wait(again, 'Asked again: the answer was not what is expected.'),
    );
  }

  async #remind(memory: Memory): Promise<TaskResult> {
    const due = this.#schedule(memory)[memory.reminders];
    const now = this.#task.now.getTime();
    if (!due || due.at > now || this.#deadline(memory) <= now) {
      if (this.#deadline(memory) > now) return this.#wait(memory, 'Waiting for the answer.');
      return this.#end(memory, NO_ANSWER.name, 'No answer in time.');
    }
    this.#listen();
    const reminded = { ...memory, reminders: memory.reminders + 1 };
    return this.#send(toText(due.text), reminded, () =>
      this.#wait(reminded, `Reminder ${reminded.reminders} sent.`),
    );
  }

  /** Sends, or takes the exit that says why it cannot be sent. */
  async #send(
    message: OutgoingMessage,
    memory: Memory,
    sent: (messageId: string) => TaskResult,
  ): Promise<TaskResult> {
    try {
      return sent(await this.#call.send(message, this.#target));
    } catch (error) {
      if (error instanceof PlatformError && error.kind === 'window') return this.#windowClosed(memory);
      if (error instanceof PlatformError && error.kind === 'undeliverable')
        return this.#end(memory, UNDELIVERED.name, error.message);
      throw toTaskError(error, 'send_text');
    }
  }

  #listen(): void {
    const { if_several: rule, pause_seconds: pause } = this.#task.settings;
    const { phoneNumberId, recipient } = this.#target;
    this.#task.listen({ key: customerKey(phoneNumberId, recipient), rule, quietMs: pause * 1000 });
  }

  #wait(memory: Memory, runText: string): TaskResult {
    this.#listen();
    const next = this.#schedule(memory)[memory.reminders];
    const deadline = this.#deadline(memory);
    const goesOn = next !== undefined && next.at < deadline;
    const until = new Date(goesOn ? next.at : deadline);
    return { kind: 'listen', until, goesOn, memory: { ...memory }, output: this.#output(memory), runText };
  }

  #windowClosed(memory: Memory): TaskResult {
    const text = 'Window closed: the customer has not written in the last 24 hours.';
    return this.#end(memory, WINDOW_CLOSED.name, text);
  }

  #end(memory: Memory, branch: string, runText: string, more: JsonObject = {}): TaskResult {
    return { kind: 'done', branch, runText, output: { ...this.#output(memory), ...more } };
  }

  #output({ messageId, recipient, reminders }: Memory): JsonObject {
    const none = { answer: '', choice: '', answer_type: '', message: null };
    return { message_id: messageId, recipient, ...none, reminders_sent: reminders, ...this.#target.note };
  }

  /** When the wait is over. */
  #deadline({ askedAt }: Memory): number {
    const { wait_amount: amount, wait_unit: unit } = this.#task.settings;
    return askedAt + accept(readDuration(this.#evaluate(amount), unit));
  }

  /** The reminders by their instants. @throws TaskError where a duration is none */
  #schedule(memory: Memory): { at: number; text: string }[] {
    this.#deadline(memory);
    return this.#task.settings.reminders
      .map(({ amount, unit, text }) => ({
        at: memory.askedAt + accept(readDuration(this.#evaluate(amount), unit)),
        text: this.#render(text),
      }))
      .toSorted((a, b) => a.at - b.at);
  }

  #question(): Question {
    const { settings } = this.#task;
    const rows =
      settings.answer_by === 'list'
        ? settings.rows
        : settings.buttons.map(({ title }) => ({ title, description: '' }));
    return {
      by: settings.answer_by,
      text: this.#render(settings.question),
      footer: this.#render(settings.footer),
      listButton: this.#render(settings.list_button),
      choices: rows.map(({ title, description }) => ({
        title: this.#render(title),
        description: this.#render(description),
      })),
    };
  }

  #toMessage({ by, text, footer, listButton, choices }: Question): OutgoingMessage {
    const callbackData = questionId(this.#task);
    if (by === 'text') return { type: 'text', body: text, previewUrl: false, callbackData };
    const rows = choices.map((choice, place) => ({ ...choice, id: choiceId(this.#task, place) }));
    const body = { type: 'question' as const, text, footer, callbackData };
    return by === 'list' ? { ...body, list: { button: listButton, rows } } : { ...body, buttons: rows };
  }

  #render(text: string): string {
    return renderSetting(text, this.#task.scope, 'none');
  }

  #evaluate(setting: JsonValue): JsonValue | undefined {
    return evaluateSetting(setting, this.#task.scope);
  }
}

const toText = (body: string): OutgoingMessage => ({ type: 'text', body, previewUrl: false });
