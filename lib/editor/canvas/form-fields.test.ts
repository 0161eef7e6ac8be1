import { expect, test } from 'vitest';
import { findTaskDefinition, TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import { isVisible, listFormFields, newElement } from './form-fields.ts';

const fieldsOf = (type: string) => {
  const definition = findTaskDefinition(type);
  if (!definition) throw new Error(`There is no ${type}.`);
  return listFormFields(definition.settings);
};

test('every setting of every task type has a title and a form', () => {
  for (const { type, settings } of TASK_DEFINITIONS.values()) {
    for (const field of listFormFields(settings)) {
      expect([type, field.name, field.title]).not.toContain(undefined);
      expect(field.title).not.toBe(field.name);
      expect(field.kind).not.toBe('json');
      if (field.kind === 'enum' || field.kind === 'choice') expect(field.options.length).toBeGreaterThan(1);
    }
  }
});

test('the response types have the labels of the spec, word for word', () => {
  expect(fieldsOf('inbound_webhook')[0]?.options.map(({ label }) => label)).toEqual([
    'Respond Immediately with Custom Response',
    'Redirect to URL',
    'Respond After Workflow Completes',
  ]);
});

test('fields are shown for the value that counts, the default when nothing was chosen', () => {
  const fields = fieldsOf('inbound_webhook');
  const shown = (settings: Record<string, unknown>) =>
    fields.filter((field) => isVisible(field, settings, fields)).map(({ name }) => name);
  expect(shown({})).toEqual(['response_type', 'response_body', 'response_format']);
  expect(shown({ response_type: 'redirect' })).toEqual(['response_type', 'redirect_url']);
});

test('lists have rows of fields, and a new row has what its fields begin with', () => {
  const [, conditions] = fieldsOf('if_condition');
  expect(conditions?.kind).toBe('list');
  expect(newElement(conditions?.items ?? [])).toEqual({ left: '', operator: 'equals', right: '' });
});
