// The settings of a comparison, shared by the tasks that branch on one.
import * as z from 'zod';
import { isMissing, jsonSetting } from '#lib/tasks/setting-values.ts';
import type { FieldMeta } from '#lib/tasks/task-definition.ts';
import { type Operator, OPERATOR_LABELS, WITHOUT_RIGHT } from './operators.ts';

const OPERATORS = Object.keys(OPERATOR_LABELS) as [Operator, ...Operator[]];
const WITH_RIGHT = OPERATORS.filter((operator) => !WITHOUT_RIGHT.includes(operator));
/** Comparing with nothing has its own operators for these. */
const RIGHT_MAY_BE_EMPTY: readonly Operator[] = [...WITHOUT_RIGHT, 'equals', 'not_equals'];

/** The comparison. */
export const operatorSetting = () =>
  z.enum(OPERATORS).default('equals').meta({ title: 'Comparison', labels: OPERATOR_LABELS });

/** What is compared with; hidden for operators without it. @param secrets as in `FieldMeta` */
export const rightSetting = (secrets: NonNullable<FieldMeta['secrets']>) =>
  jsonSetting()
    .default('')
    .meta({
      title: 'Compare with',
      description:
        'A text, a number, a date or a variable. A list: separated by commas, as JSON, or a variable.',
      variables: true,
      secrets,
      visibleWhen: { field: 'operator', is: WITH_RIGHT },
    });

/** One side of a comparison and how it is compared: `left operator right`. */
export interface Condition {
  left: unknown;
  operator: Operator;
  right: unknown;
}

/** Whether `right` is missing although the operator needs it. */
export const lacksRight = ({ operator, right }: { operator: Operator; right: unknown }): boolean =>
  !RIGHT_MAY_BE_EMPTY.includes(operator) && isMissing(right);

/** The refusal of a comparison that lacks it. */
export const RIGHT_IS_MISSING = { path: ['right'], message: 'Enter a value to compare with.' };
