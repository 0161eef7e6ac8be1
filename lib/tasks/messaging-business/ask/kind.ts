import { settingWords } from '#lib/tasks/setting-values.ts';
import { CUSTOMER_STOPPED } from '#lib/tasks/messaging-business/delivery/exits.ts';
import { taskName } from '#lib/variables/task-names.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import {
  ANSWERED,
  branchesOfAsk,
  choiceBranch,
  listTitles,
  NO_ANSWER,
  OTHER,
  UNDELIVERED,
  WINDOW_CLOSED,
} from './exits.ts';

/** Asks a customer something and takes the exit of the answer (docs/engine.md, "Signals"). */
export const askKind = {
  type: 'ask_and_wait',
  name: 'Ask and wait',
  summary: 'Asks a customer a question and continues with the answer.',
  category: 'messaging',
  icon: 'M21 12a8 8 0 0 1-11.5 7.2L4 21l1.8-5.5A8 8 0 1 1 21 12ZM10 9.5a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1M12 15h.01',
  isTrigger: false,
  branches: [ANSWERED, OTHER, NO_ANSWER, UNDELIVERED, WINDOW_CLOSED, CUSTOMER_STOPPED],
  branchesOf: branchesOfAsk,
  repeatsItself: {
    branch: OTHER.name,
    label: 'Ask again',
    summary:
      'The question can be asked again when the answer is not what is expected, each time with its own text. After the last time, “Other answer” is taken.',
    field: 'settings.retry_text',
    turnOn: ({ retry_text: text, ...settings }) => ({
      ...settings,
      retry_text: settingWords(text) || settingWords(settings['question']) || 'Please answer again.',
    }),
  },
  conditionUnless: ({ id, settings }, branch) => {
    const place = listTitles(settings).findIndex((_, index) => choiceBranch(index) === branch);
    const right = listTitles(settings)[place];
    const left = `{{${taskName(id, 'choice')}}}`;
    return right === undefined ? undefined : { left, operator: 'not_equals', right };
  },
  isWait: true,
  waits: true,
  recipientOf: ({ recipient }) => settingWords(recipient),
  // So that a new question shows its exits.
  newSettings: { buttons: [{ title: 'Yes' }, { title: 'No' }] },
  keywords: [
    'question',
    'answer',
    'reply',
    'buttons',
    'list',
    'menu',
    'wait',
    'survey',
    'whatsapp',
    'poll',
    'chat',
  ],
  describe: ({ answer_by: by, question, template_name: template, recipient }) => {
    const words = settingWords(question);
    const asked = by === 'template' ? settingWords(template) : words && `“${words}”`;
    return [asked, settingWords(recipient) && `→ ${settingWords(recipient)}`].filter(Boolean).join(' ');
  },
} as const satisfies TaskKind;
