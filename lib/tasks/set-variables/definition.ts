import * as z from 'zod';
import { isMissing, jsonSetting } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { STATUS_FIELDS } from '#lib/variables/task-names.ts';
import { setVariablesKind } from './kind.ts';

/** `run` and `run_text` are the status of every task. */
const RESERVED: readonly string[] = [...STATUS_FIELDS, '__proto__'];

const variable = z.strictObject({
  name: z
    .string()
    .max(100, 'At most 100 characters.')
    .regex(/^[A-Za-z0-9_]+$/, 'A name has letters, digits and underscores only.')
    .refine((name) => !RESERVED.includes(name), 'This name is reserved. Choose another one.')
    .meta({ title: 'Name', description: 'Letters, digits and underscores.', placeholder: 'full_name' }),
  value: jsonSetting().default('').meta({
    title: 'Value',
    description: 'A text with variables. One variable alone keeps its type.',
    variables: true,
  }),
});

const settings = z
  .strictObject({
    variables: z
      .array(variable)
      .min(1, 'Add a variable.')
      .max(200, 'At most 200 variables.')
      .meta({ title: 'Variables', secrets: true, widget: 'list' }),
  })
  .check(({ value: { variables }, issues }) => {
    const seen = new Set<string>();
    variables.forEach(({ name }, index) => {
      if (seen.has(name) && !isMissing(name)) {
        const message = `The name "${name}" is used twice: each variable needs its own name.`;
        issues.push({ code: 'custom', input: name, path: ['variables', index, 'name'], message });
      }
      seen.add(name);
    });
  });

/** Gives names to values for later tasks (docs/engine.md). */
export const setVariables = {
  ...setVariablesKind,
  settings,
  outputs: z.object({}),
  outputsFrom: ({ variables }) => {
    const entries = Array.isArray(variables) ? (variables as { name?: unknown }[]) : [];
    const names = entries.flatMap((entry) => (typeof entry?.name === 'string' ? [entry.name] : []));
    return z.object(Object.fromEntries(names.map((name) => [name, z.unknown()])));
  },
} satisfies TaskDefinition;

export const setVariablesExample: TaskExample = {
  says: 'Prepares a greeting and a total for later tasks: `{{task_2_greeting}}`, `{{task_2_total}}`.',
  event: { customer: { name: 'Kim' }, order: { total: 184.35 } },
  settings: {
    variables: [
      { name: 'greeting', value: 'Hi {{task_1_customer_name}}!' },
      { name: 'total', value: '{{number task_1_order_total 0}}' },
    ],
  },
  output: { greeting: 'Hi Kim!', total: 184 },
};
