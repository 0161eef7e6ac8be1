// What is wrong with a question's settings that can be seen before it runs.
import { findDurationProblem } from '#lib/tasks/durations.ts';
import type { FindTemplate, StoredSettings } from '#lib/tasks/task-definition.ts';
import { hasVariables, isMissing } from '#lib/tasks/setting-values.ts';
import { settingRows } from '#lib/tasks/setting-words.ts';
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { readParameters } from '../template-settings.ts';
import { templateProblems } from '../template-problems.ts';
import { listTitles } from './exits.ts';
import { findQuestionProblems } from './rules.ts';
import type { AskSettings } from './settings.ts';

interface Found {
  path: readonly (string | number)[];
  message: string;
}

/** Problems by the place in the settings. */
export function findAskProblems(settings: AskSettings): Found[] {
  const problems: Found[] = [];
  const report = (path: (string | number)[], message: string): void => void problems.push({ path, message });
  if (isMissing(settings.app_connection_id)) report(['app_connection_id'], 'No app connection selected');
  if (isMissing(settings.phone_number_id)) report(['phone_number_id'], 'Select the sender’s number.');
  if (isMissing(settings.recipient)) report(['recipient'], 'Enter a recipient.');
  else if (!hasVariables(settings.recipient)) {
    const { problem } = readRecipient(settings.recipient.trim());
    if (problem !== undefined) report(['recipient'], problem);
  }
  problems.push(...findOwnProblems(settings));
  const wait = findDurationProblem(settings.wait_amount, settings.wait_unit);
  if (wait !== undefined) report(['wait_amount'], wait);
  settings.reminders.forEach(({ amount, unit, text: words }, place) => {
    const problem = findDurationProblem(amount, unit);
    if (problem !== undefined) report(['reminders', place, 'amount'], problem);
    if (isMissing(words)) report(['reminders', place, 'text'], 'Enter a text.');
  });
  return problems;
}

function findOwnProblems(settings: AskSettings): Found[] {
  const { answer_by: by, question: text, footer, list_button: listButton } = settings;
  if (by === 'template') return findTemplateProblems(settings);
  const choices =
    by === 'list' ? settings.rows : settings.buttons.map(({ title }) => ({ title, description: '' }));
  const problems: Found[] = findQuestionProblems({ by, text, footer, listButton, choices });
  if (by === 'text' && settings.answer_kind === 'one_of' && isMissing(settings.accepted_answers))
    problems.push({ path: ['accepted_answers'], message: 'Enter the accepted answers.' });
  return problems;
}

function findTemplateProblems(settings: AskSettings): Found[] {
  const { template_name: name, template_parameters: parameters, quick_replies: replies } = settings;
  const problems: Found[] = [];
  if (isMissing(name)) problems.push({ path: ['template_name'], message: 'Select a message template.' });
  else if (replies.length === 0)
    problems.push({ path: ['quick_replies'], message: 'Add the quick replies of the template.' });
  replies.forEach(({ title }, place) => {
    if (isMissing(title))
      problems.push({ path: ['quick_replies', place, 'title'], message: 'Enter a label.' });
  });
  const isKnown = !JSON.stringify(parameters).includes('{{');
  const { problem } = isKnown ? readParameters(parameters as JsonValue) : {};
  if (problem !== undefined) problems.push({ path: ['template_parameters'], message: problem });
  return problems;
}

/** Whether the template gets what it takes, and whether the exits are its quick replies. */
export function findAskTemplateProblems(settings: StoredSettings, find: FindTemplate): Problem[] {
  const template = find('template_name');
  return [...templateProblems(settings, find), ...(template ? findReplyProblems(settings, template) : [])];
}

function findReplyProblems(settings: StoredSettings, { name, quickReplies }: TemplateFacts): Problem[] {
  if (!quickReplies) return [];
  if (quickReplies.length === 0) {
    const message = `“${name}” has no quick reply buttons. Select a template that has some, or another way to answer.`;
    return [{ path: 'template_name', message }];
  }
  const has = quickReplies.map(({ title }) => title);
  const isSame =
    listTitles(settings).join('\n') === has.join('\n') &&
    settingRows(settings['quick_replies']).every(
      ({ index = 0 }, place) => index === quickReplies[place]?.index,
    );
  if (isSame) return [];
  const message = `The quick replies of “${name}” are ${has.map((title) => `“${title}”`).join(', ')}. Use them as exits.`;
  return [{ path: 'quick_replies', message }];
}
