import { expect, test } from 'vitest';
import { storedTriggerSettingsSchema, triggerSettingsSchema } from './trigger-settings.ts';

const DEFAULTS = storedTriggerSettingsSchema.parse(triggerSettingsSchema.parse({}));

test('what may be published is stored as it is', () => {
  const settings = { ...DEFAULTS, response_type: 'redirect', redirect_url: 'https://example.com/{{id}}' };
  expect(storedTriggerSettingsSchema.parse(triggerSettingsSchema.parse(settings))).toEqual(settings);
  expect(storedTriggerSettingsSchema.parse({})).toEqual(DEFAULTS);
});

test.each([
  [{ response_body: 'x'.repeat(100_000) }, { response_body: 'x'.repeat(100_000) }],
  [{ response_type: 'of_another_version', response_body: 'kept' }, { response_body: 'kept' }],
  [{ response_format: 7, redirect_url: null, unknown: true }, {}],
])('a published version that later rules refuse keeps answering: %#', (stored, expected) => {
  expect(triggerSettingsSchema.safeParse(stored).success).toBe(false);
  expect(storedTriggerSettingsSchema.parse(stored)).toEqual({ ...DEFAULTS, ...expected });
});
