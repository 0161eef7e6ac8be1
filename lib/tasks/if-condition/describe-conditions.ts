import { settingRows, settingWords } from '#lib/tasks/setting-words.ts';
import { OPERATOR_LABELS, type Operator, WITHOUT_RIGHT } from './operators.ts';

/** The conditions of a draft as a sentence: `{{total}} is greater than 100 and {{country}} equals DE`. */
export function describeConditions(conditions: unknown, match: unknown): string {
  return settingRows(conditions)
    .filter(({ left }) => settingWords(left) !== '')
    .map(({ left, operator, right }) => {
      const known = (settingWords(operator) || 'equals') as Operator;
      const parts = [settingWords(left), OPERATOR_LABELS[known] ?? known];
      if (!WITHOUT_RIGHT.includes(known)) parts.push(settingWords(right) || '(empty)');
      return parts.join(' ');
    })
    .join(match === 'any' ? ' or ' : ' and ');
}
