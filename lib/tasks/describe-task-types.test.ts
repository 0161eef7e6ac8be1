import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { describeTaskTypes } from './render-task-docs.ts';
import { findExecutor } from './executors.ts';
import { TASK_DEFINITIONS } from './registry.ts';

it('describes every task type by plain JSON Schema', () => {
  const described = describeTaskTypes();
  expect(described.map(({ type }) => type)).toEqual([...TASK_DEFINITIONS.keys()]);
  for (const { settings, outputs } of described) {
    expect(settings).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputs).toMatchObject({ type: 'object' });
    expect(JSON.stringify({ settings, outputs })).not.toMatch(
      /"(widget|visibleWhen|placeholder|keepPlaceholders|escape|picks|languageOf)"|\$ref/,
    );
  }
});

it('marks variable texts and words of values, and requires nothing that has a default', () => {
  const delay = describeTaskTypes().find(({ type }) => type === 'delay');
  expect(delay?.settings).toMatchObject({
    properties: {
      until: { 'x-variables': true },
      unit: { default: 'minutes', 'x-labels': { days: 'Days' } },
    },
  });
  expect(delay?.settings).not.toHaveProperty('required');
});

it('there is an executor for every task type but the trigger, and a label for every field', () => {
  vi.stubEnv('DATABASE_URL', 'postgres://localhost/none');
  vi.stubEnv('BASE_URL', '');
  for (const { type, isTrigger, settings } of TASK_DEFINITIONS.values()) {
    if (!isTrigger) expect(findExecutor(type), type).toBeDefined();
    const fields: Record<string, z.ZodType> = settings.shape;
    for (const [name, field] of Object.entries(fields))
      expect(field.meta()?.title, `${type}.${name}`).toBeTruthy();
  }
  expect(findExecutor('constructor')).toBeUndefined();
});
