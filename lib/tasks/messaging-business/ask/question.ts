// A question with its variables filled in, as it is checked, sent and shown.
import { TaskError } from '#lib/engine/task-executor.ts';
import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import { type AskingTaskRun, choiceId, questionId } from '#lib/messaging/sending/signal-keys.ts';
import type { FilledSlot, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { messagingBusiness, type MessagingBusinessSettings } from '../definition.ts';
import type { Fields } from '../fields.ts';
import { readTemplateMessage } from '#lib/tasks/messaging-business/send-messages.ts';
import { findQuestionProblems } from './rules.ts';
import type { AskSettings } from './settings.ts';

export interface AskedQuestion {
  message: OutgoingMessage;
  /** The buttons or rows. */
  titles: string[];
  said: Pick<SaidMessage, 'text' | 'choices' | 'template'>;
}

/**
 * @param render fills a text in
 * @param fields those shared with send_template @throws TaskError where the platform would refuse it
 */
export function toQuestion(settings: AskSettings, { render, fields, task, slots }: AskedWith): AskedQuestion {
  return settings.answer_by === 'template'
    ? toTemplate(settings, { render, fields, task, slots })
    : toMessage(settings, { render, task });
}

interface AskedWith {
  render: (text: string) => string;
  fields: Fields;
  task: AskingTaskRun;
  /** Of its message template; undefined: not known, or not needed. */
  slots: readonly TemplateSlot[] | undefined;
}

function toTemplate(
  { quick_replies: replies }: AskSettings,
  { render, fields, task, slots }: AskedWith,
): AskedQuestion {
  const template = readTemplateMessage(fields, slots);
  const titles = replies.map(({ title }) => render(title));
  const quickReplies = replies.map(({ index }, place) => ({ index, payload: choiceId(task, place) }));
  return {
    message: { ...template, quickReplies, callbackData: questionId(task) },
    titles,
    said: { text: textsOf(template), choices: titles, template: template.name },
  };
}

const textsOf = ({ values }: { values: readonly FilledSlot[] }): string =>
  values
    .flatMap(({ slot, value }) => (slot.in === 'body' && slot.card === undefined ? [value] : []))
    .join(' · ');

/** The question with other words; of a message template only the words: its buttons can still be tapped. */
export const toRepeat = (
  settings: AskSettings,
  text: string,
  asked: Pick<AskedWith, 'render' | 'task'>,
): AskedQuestion => toMessage({ ...settings, question: text }, asked);

function toMessage(
  settings: AskSettings,
  { render, task }: { render: (text: string) => string; task: AskingTaskRun },
): AskedQuestion {
  const by = settings.answer_by === 'template' ? 'text' : settings.answer_by;
  const rows =
    by === 'list' ? settings.rows : settings.buttons.map(({ title }) => ({ title, description: '' }));
  const question = {
    by,
    text: render(settings.question),
    footer: render(settings.footer),
    listButton: render(settings.list_button),
    choices: rows.map(({ title, description }) => ({
      title: render(title),
      description: render(description),
    })),
  };
  const [problem] = findQuestionProblems(question);
  if (problem) throw new TaskError('invalid_field', `${problem.path.join('.')}: ${problem.message}`);
  const { text, footer, listButton } = question;
  const callbackData = questionId(task);
  if (by === 'text') {
    const said = { text, choices: [], template: '' };
    return { message: { type: 'text', body: text, previewUrl: false, callbackData }, titles: [], said };
  }
  const choices = question.choices.map((choice, place) => ({ ...choice, id: choiceId(task, place) }));
  const titles = choices.map(({ title }) => title);
  const body = { text, footer, callbackData };
  return {
    message:
      by === 'list'
        ? { ...body, type: 'list', listButton, sections: [{ title: '', rows: choices }] }
        : { ...body, type: 'buttons', buttons: choices },
    titles,
    said: { text, choices: titles, template: '' },
  };
}

/** The settings that a question shares with the task of the seven actions. */
export function toSending(settings: AskSettings): MessagingBusinessSettings {
  const { app_connection_id, phone_number_id, recipient } = settings;
  const target = { action: 'send_text', message_text: '-', app_connection_id, phone_number_id, recipient };
  if (settings.answer_by !== 'template') return messagingBusiness.settings.parse(target);
  const { template_name, template_language, template_parameters } = settings;
  const { header_type, header_value, button_parameter, button_index, template_values } = settings;
  const template = { template_name, template_language, template_parameters, template_values };
  return messagingBusiness.settings.parse({
    ...target,
    ...template,
    ...{ header_type, header_value, button_parameter, button_index },
  });
}
