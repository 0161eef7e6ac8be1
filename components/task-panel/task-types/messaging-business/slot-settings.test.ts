import { describe, expect, test } from 'vitest';
import { readTemplateParts } from '#lib/messaging/message-templates/schema/template-slots.ts';
import { listLiveTemplates } from '#lib/messaging/testing/live-templates.ts';
import { changeOf, isWrittenOut, valueInSettings } from './slot-field.tsx';

const slotsOf = (name: string) => {
  const { components, parameterFormat } =
    listLiveTemplates(0).find((each) => each.name === name) ?? expect.unreachable();
  return readTemplateParts({ components, parameterFormat }).slots;
};
const change = (name: string, key: string, value: string, settings: object = {}) => {
  const slots = slotsOf(name);
  const slot = slots.find((each) => each.key === key) ?? expect.unreachable();
  const changed = changeOf({ ...settings }, slot, slots, value);
  expect(valueInSettings({ ...settings, ...changed }, slot, slots)).toBe(value);
  return changed;
};

describe('each value of a template has its place in the settings', () => {
  test('named parameters under their names; what was saved as a list moves there', () => {
    expect(
      change('order_ready', 'body_last_day', 'Friday', { template_parameters: ['{{task_1_name}}'] }),
    ).toEqual({ template_parameters: { first_name: '{{task_1_name}}', last_day: 'Friday' } });
    expect(change('order_ready', 'header', 'A-7')).toEqual({ header_value: 'A-7', header_type: 'text' });
  });

  test('the first button by itself, cards under the keys of their slots', () => {
    expect(change('birthday_coupon', 'button_0', 'KIM10')).toEqual({
      button_parameter: 'KIM10',
      button_index: 0,
    });
    const before = { template_values: { card_0_body_1: '25', of_another_template: 'x' } };
    expect(change('new_books', 'card_1_header', '123456', before)).toEqual({
      template_values: { card_0_body_1: '25', card_1_header: '123456' },
    });
    expect(change('new_books', 'card_0_body_1', '', before)).toEqual({ template_values: undefined });
  });

  test('numbers in a list, also of what was written as its text', () => {
    const before = { template_parameters: '["a"]' };
    expect(change('new_books', 'body_1', 'Kim', before)).toEqual({ template_parameters: ['Kim'] });
  });
});

test('what one variable gives as a whole has no fields', () => {
  for (const value of ['{{task_1_all}}', '{{ task_1_all }}', 'Kim']) expect(isWrittenOut(value)).toBe(false);
  for (const value of [undefined, '', ['a'], { a: 'b' }, '["{{task_1_name}}"]', '{"a": "b"}'])
    expect(isWrittenOut(value)).toBe(true);
});
