import * as z from 'zod';
import {
  conditionSetting,
  matchSetting,
  MAX_CONDITIONS,
  patternCheck,
  TOO_MANY_CONDITIONS,
} from '#lib/tasks/conditions/settings.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { MAX_ITEMS, readCount } from './read-items.ts';
import { DEFAULT_MAX_PASSES, loopKind } from './kind.ts';

const MAX_PAUSE_SECONDS = 86_400;
const MAX_AT_ONCE = 100;
const MAX_PASSES = 1000;

const ITEMS = { visibleWhen: { field: 'repeat', is: ['items'] } };
const UNTIL = { visibleWhen: { field: 'repeat', is: ['until'] } };

const settings = z
  .strictObject({
    repeat: z
      .enum(['items', 'until'])
      .default('items')
      .meta({
        title: 'Repeat',
        labels: { items: 'For each item, or a number of times', until: 'Until a condition is met' },
      }),
    items: z
      .union([
        z.array(z.unknown()).max(MAX_ITEMS, `At most ${MAX_ITEMS.toLocaleString('en')} items.`),
        variableText(),
      ])
      .default('')
      .meta({
        title: 'Items',
        description:
          'A variable that contains a list, or a list as JSON. The tasks of the loop run once for each item.',
        variables: true,
        placeholder: '{{task_1_items}}',
        ...ITEMS,
      }),
    count: numberSetting()
      .default('')
      .meta({
        title: 'Times',
        description: 'How many times to run the loop, instead of items.',
        variables: true,
        widget: 'number',
        ...ITEMS,
      }),
    until_match: matchSetting().meta({ title: 'Stop when', ...UNTIL }),
    until: z
      .array(conditionSetting())
      .max(MAX_CONDITIONS, TOO_MANY_CONDITIONS)
      .default([])
      .meta({
        title: 'Conditions',
        description:
          'Tested after each pass. They can use the outputs of the tasks in the loop, and the number of the pass.',
        widget: 'list',
        readsResults: true,
        ...UNTIL,
      }),
    max_passes: z
      .int('Enter a whole number.')
      .min(1, 'At least 1.')
      .max(MAX_PASSES, `At most ${MAX_PASSES.toLocaleString('en')} passes.`)
      .default(DEFAULT_MAX_PASSES)
      .meta({
        title: 'Passes at most',
        description: 'If the condition is not met after this many, the exit “Limit reached” is taken.',
        widget: 'number',
        ...UNTIL,
      }),
    pause_seconds: z
      .number()
      .min(0, 'A pause cannot be negative.')
      .max(MAX_PAUSE_SECONDS, 'At most a day (86400 seconds).')
      .default(0)
      .meta({ title: 'Pause between two items or passes, in seconds', widget: 'number' }),
    at_once: z
      .int('Enter a whole number.')
      .min(1, 'At least 1.')
      .max(MAX_AT_ONCE, `At most ${MAX_AT_ONCE} items at once.`)
      .default(1)
      .meta({
        title: 'Items at once',
        description:
          'How many items run at the same time. 1: one after another, in order. With more, items finish in any order, and messages are sent as fast as the phone number allows; the tasks of the loop must finish without waiting.',
        widget: 'number',
        ...ITEMS,
      }),
    on_item_failure: z
      .enum(['stop', 'continue'])
      .default('stop')
      .meta({
        title: 'When an item or a pass fails',
        labels: { stop: 'Stop the loop', continue: 'Continue with the next one' },
      }),
  })
  .check(({ value: { repeat, until, items, count, pause_seconds, at_once }, issues }) => {
    if (repeat === 'until') {
      if (until.length === 0)
        issues.push({ code: 'custom', input: until, path: ['until'], message: 'Add a condition.' });
      return;
    }
    if (at_once > 1 && pause_seconds > 0) {
      const message =
        'Items with a pause between them run one after another: set this to 1, or the pause to 0.';
      issues.push({ code: 'custom', input: at_once, path: ['at_once'], message });
    }
    const hasItems = typeof items !== 'string' || items.trim() !== '';
    if (hasItems && !isMissing(count)) {
      issues.push({
        code: 'custom',
        input: count,
        path: ['count'],
        message: 'Enter either items or a count, not both.',
      });
    } else if (!hasItems && isMissing(count)) {
      const message = 'Enter the items or a count.';
      issues.push({ code: 'custom', input: items, path: ['items'], message });
    } else if (!hasItems && !hasVariables(count)) {
      const { problem } = readCount(count);
      if (problem !== undefined)
        issues.push({ code: 'custom', input: count, path: ['count'], message: problem });
    }
  });

export type LoopSettings = z.output<typeof settings>;

const outputsUntil = z.object({
  round: z.number().meta({
    title: 'Round',
    description: 'The number of the pass, from 1, inside a loop that is repeated until a condition is met.',
  }),
  last: z.looseObject({}).meta({
    title: 'Last pass',
    description:
      'After a loop that is repeated until a condition is met: the outputs of the tasks in its last pass, for example task_4_last_answer.',
  }),
});

/** Runs the tasks after its `each` exit once for each item or until a condition holds, then those after `done` (docs/engine.md). */
export const loop = {
  ...loopKind,
  settings,
  outputs: z.object({
    item: z.unknown().meta({ title: 'Item', description: 'The item, inside the loop.' }),
    index: z
      .number()
      .meta({ title: 'Index', description: 'The zero-based index of the item, inside the loop.' }),
    count: z.number().meta({ title: 'Count', description: 'The number of items or passes, after the loop.' }),
    failed_count: z
      .number()
      .meta({ title: 'Failed', description: 'The number of those that failed, after the loop.' }),
  }),
  outputsFrom: ({ repeat }) => (repeat === 'until' ? outputsUntil : z.object({})),
  outputsInside: ['item', 'index', 'round'],
  furtherCheck: patternCheck('until'),
  itemsSetting: 'items',
  itemsAtOnceSetting: 'at_once',
} satisfies TaskDefinition;

export const loopExample: TaskExample = {
  says: 'Runs the tasks behind `each` once for every line of the order. They read `{{task_2_item_title}}`.',
  event: {
    lines: [
      { title: 'Sea stories', quantity: 1 },
      { title: 'Harbour maps', quantity: 2 },
    ],
  },
  settings: { items: '{{task_1_lines}}' },
  output: { count: 2, failed_count: 0 },
};
