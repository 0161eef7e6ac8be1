import * as z from 'zod';
import { variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { countLettersKind } from './kind.ts';

export const countLetters = {
  ...countLettersKind,
  settings: z.strictObject({
    text: variableText()
      .min(1, 'Enter a text.')
      .meta({ title: 'Text', description: 'Its letters are counted.', variables: true, escape: 'url' }),
    long_from: z.number().default(10).meta({ title: 'Long from', widget: 'number' }),
    spaces: z
      .enum(['count', 'skip'])
      .default('skip')
      .meta({ title: 'Spaces', labels: { count: 'Count', skip: 'Skip' } }),
    account_link: variableText()
      .optional()
      .meta({ title: 'Connection', variables: true, picks: { from: 'connection' } }),
    api_key: variableText().optional().meta({ title: 'API key', variables: true, secrets: true }),
  }),
  outputs: z.object({
    letters: z.number().meta({ title: 'Letters', description: 'How many there are.' }),
  }),
  wantedValues: ({ text }) =>
    new Map(text === '{{task_1_motto}}' ? [['task_1_motto', 'A long enough motto']] : []),
  furtherCheck: {
    isNeeded: ({ long_from }) => typeof long_from === 'number',
    load: async () => (await import('./check-limit.ts')).checkLimit,
  },
} satisfies TaskDefinition;
