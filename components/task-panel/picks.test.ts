import { expect, test } from 'vitest';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import { listFormFields } from '#lib/editor/canvas/form-fields.ts';
import { messagingBusiness } from '#lib/tasks/messaging-business/definition.ts';
import { changesOf, languagesOf, presetOf as presetOfKind } from './picks.ts';

const fields = listFormFields(messagingBusiness.settings);

function changesOfPicking(
  name: string,
  picked: string,
  options: readonly PickerOption[],
  settings: Record<string, unknown>,
) {
  const field = fields.find((each) => each.name === name);
  if (!field) throw new Error(name);
  return changesOf(field, picked, options, { fields, settings });
}

const option = (value: string): PickerOption => ({ value, label: value });
const template = (name: string, language: string): PickerOption => ({
  ...option(name),
  template: { name, language, components: [] },
});
const templates = [template('order', 'es'), template('order', 'en_US'), template('visit', 'de')];

test('another connection brings its own account, and its numbers are to be chosen again', () => {
  const options = [{ ...option('c1'), businessAccountId: 'a1' }, option('c2')];
  const settings = { app_connection_id: 'c2', business_account_id: 'a2', phone_number_id: 'p2' };
  const pick = (picked: string) => changesOfPicking('app_connection_id', picked, options, settings);
  expect(pick('c1')).toEqual({
    app_connection_id: 'c1',
    business_account_id: 'a1',
    phone_number_id: undefined,
  });
  expect(pick('c2')).toEqual({});
  const other = changesOfPicking('business_account_id', 'a1', [], settings);
  expect(other).toEqual({ business_account_id: 'a1', phone_number_id: undefined });
});

test.each([
  ['order', undefined, undefined],
  ['order', 'es', undefined],
  ['order', 'de', 'en_US'],
  ['visit', undefined, 'de'],
  ['visit', 'fr', 'de'],
  ['visit', '{{task_1_language}}', undefined],
  ['unknown', 'fr', undefined],
])('the template %s with the language %s: %s is set', (name, template_language, language) => {
  const changes = changesOfPicking('template_name', name, templates, { template_language });
  expect(changes).toEqual({
    template_name: name,
    ...(language === undefined ? {} : { template_language: language }),
  });
});

test('a fallback template has its own language', () => {
  expect(changesOfPicking('fallback_template_name', 'visit', templates, {})).toEqual({
    fallback_template_name: 'visit',
    fallback_template_language: 'de',
  });
  expect(languagesOf(templates, 'order')).toEqual(['es', 'en_US']);
});

test('a preset is the only thing there is, or what the other tasks agree on', () => {
  const two = [option('a'), option('b')];
  const presetOf = (options: readonly PickerOption[], usedElsewhere: readonly unknown[]) =>
    presetOfKind('connection', options, usedElsewhere);
  expect(presetOf([option('a')], ['gone'])).toBe('a');
  expect(presetOf(two, [])).toBeUndefined();
  expect(presetOf(two, ['b', undefined, '', 'b', '{{task_1_id}}'])).toBe('b');
  expect(presetOf(two, ['a', 'b'])).toBeUndefined();
  expect(presetOf([], ['a'])).toBeUndefined();
});

test('the first number that can send is chosen where no other task sends', () => {
  const red: PickerOption = { ...option('a'), badge: { text: 'Low quality', tone: 'danger' } };
  const numbers = [red, option('b'), option('c')];
  expect(presetOfKind('phone_number', numbers, [])).toBe('b');
  expect(presetOfKind('phone_number', numbers, ['c'])).toBe('c');
  expect(presetOfKind('phone_number', numbers, ['b', 'c'])).toBeUndefined();
  expect(presetOfKind('phone_number', [], [])).toBeUndefined();
});
