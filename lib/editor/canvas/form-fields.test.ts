import { expect, test } from 'vitest';
import { findTaskDefinition, TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import { isVisible, listFormFields, newElement } from './form-fields.ts';

const fieldsOf = (type: string) => {
  const definition = findTaskDefinition(type);
  if (!definition) throw new Error(`There is no ${type}.`);
  return listFormFields(definition.settings);
};

/** In the trigger's own form (components/task-panel/task-types/message-trigger/message-form.tsx). */
const DRAWN_BY_THE_TYPE = ['message_trigger.message_kinds', 'message_trigger.words'];

test('every setting of every task type has a title and a form', () => {
  for (const { type, settings } of TASK_DEFINITIONS.values()) {
    for (const field of listFormFields(settings)) {
      expect([type, field.name, field.title]).not.toContain(undefined);
      expect(field.title).not.toBe(field.name);
      if (!DRAWN_BY_THE_TYPE.includes(`${type}.${field.name}`)) expect(field.kind).not.toBe('json');
      if (field.kind === 'enum' || field.kind === 'choice') expect(field.options.length).toBeGreaterThan(1);
    }
  }
});

test('the response types have the labels of the spec, word for word', () => {
  const responseType = fieldsOf('inbound_webhook').find(({ name }) => name === 'response_type');
  expect(responseType?.options.map(({ label }) => label)).toEqual([
    'Respond Immediately with Custom Response',
    'Redirect to URL',
    'Respond After Workflow Completes',
  ]);
});

test('fields are shown for the value that counts, the default when nothing was chosen', () => {
  const fields = fieldsOf('inbound_webhook');
  const shown = (settings: Record<string, unknown>) =>
    fields
      .filter(({ meta }) => meta.group === undefined)
      .filter((field) => isVisible(field, settings, fields))
      .map(({ name }) => name);
  expect(shown({})).toEqual(['response_type', 'response_body', 'response_format']);
  expect(shown({ response_type: 'redirect' })).toEqual(['response_type', 'redirect_url']);
});

test('a field is hidden while the one that shows it is hidden', () => {
  const fields = fieldsOf('messaging_business');
  const shown = (settings: Record<string, unknown>) =>
    fields.filter((field) => isVisible(field, settings, fields)).map(({ name }) => name);
  const waits = { wait_until: 'delivered' };
  expect(shown({ action: 'send_text', ...waits })).toEqual(
    expect.arrayContaining(['wait_until', 'wait_amount', 'wait_unit']),
  );
  expect(shown({ action: 'send_text' })).not.toContain('wait_amount');
  expect(shown({ action: 'get_templates', ...waits })).not.toContain('wait_amount');
});

test('lists have rows of fields, and a new row has what its fields begin with', () => {
  const [, conditions] = fieldsOf('if_condition');
  expect(conditions?.kind).toBe('list');
  expect(newElement(conditions?.items ?? [])).toEqual({ left: '', operator: 'equals', right: '' });
});

test('a list knows how many rows it may have', () => {
  const limits = fieldsOf('ask_and_wait').flatMap(({ name, kind, maxItems }) =>
    kind === 'list' ? [[name, maxItems]] : [],
  );
  expect(Object.fromEntries(limits)).toMatchObject({ buttons: 3, rows: 10, reminders: 3 });
});

test('a field is hidden with the field that shows it', () => {
  const fields = fieldsOf('ask_and_wait');
  const isShown = (settings: Record<string, unknown>) =>
    fields.some((field) => field.name === 'accepted_answers' && isVisible(field, settings, fields));
  expect(isShown({ answer_by: 'text', answer_kind: 'one_of' })).toBe(true);
  expect(isShown({ answer_by: 'buttons', answer_kind: 'one_of' })).toBe(false);
});
