import { expect, test } from 'vitest';
import { findTaskDefinition } from './registry.ts';
import { titleOfSetting } from './marked-fields.ts';

const titleOf = (type: string, path: string) => {
  const definition = findTaskDefinition(type);
  if (!definition) throw new Error(`There is no type ${type}.`);
  return titleOfSetting(definition.settings, path);
};

test('a field goes by its title, in a list with its place', () => {
  expect(titleOf('http_request', 'settings.url')).toBe('URL');
  expect(titleOf('if_condition', 'settings.conditions[1].left')).toMatch(/^Conditions 2, \w/);
  expect(titleOf('http_request', 'settings.nonsense')).toBe('nonsense');
  expect(titleOf('http_request', 'settings')).toBeUndefined();
});
