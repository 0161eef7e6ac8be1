import { describe, expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { ACTIONS } from './actions.ts';
import { messagingBusiness } from './definition.ts';
import { createMessagingBusinessExecutor } from './execute.ts';

const connection = { app_connection_id: 'c' };
const account = { business_account_id: 'b' };
const target = { phone_number_id: 'p', recipient: '4915112345678' };
const BODY = { type: 'BODY', text: 'Hi {{1}} there', example: { body_text: [['Guest']] } };

/** Each action with only its required fields. */
const LEAST: Record<string, Record<string, unknown>> = {
  send_template: { ...account, ...target, template_name: 't' },
  create_template: {
    ...account,
    template_name: 't',
    template_category: 'UTILITY',
    template_components: [BODY],
  },
  get_templates: { ...account },
  send_text: { ...target, message_text: 'Hi' },
  send_media: { ...target, media_type: 'image', media_url: 'https://example.com/a.png' },
  get_message_status: { message_id: 'wamid.x' },
  mark_as_read: { phone_number_id: 'p', message_id: 'wamid.x' },
};

/** The exits are derived from the first two, before a run; what a webhook says must not decide the third. */
const FIXED = ['wait_until', 'wait_unit', 'written_by'];

const check = (settings: object, mode: 'draft' | 'publish' = 'publish') =>
  checkSettings(messagingBusiness, settings, mode);
const pathsOf = (settings: object) =>
  check(settings).problems.map(({ path }) => path.replace('settings.', ''));

test('spec, 6: task type id 58, seven actions', () => {
  expect(findTaskDefinition('messaging_business')).toMatchObject({ typeId: 58, category: 'messaging' });
  expect(Object.keys(LEAST)).toEqual([...ACTIONS]);
});

describe.each(ACTIONS)('%s', (action) => {
  const least = { action, ...connection, ...LEAST[action] };

  test('can be published with its required fields alone', () => {
    expect(check(least).problems).toEqual([]);
  });

  test.each(Object.keys(least).filter((field) => field !== 'action'))('spec, required: %s', (field) => {
    expect(pathsOf({ ...least, [field]: '' })).toContain(field);
    expect(check({ ...least, [field]: '' }, 'draft').problems).toEqual([]);
  });

  test('every field takes a variable, the connection too', () => {
    const variables = Object.fromEntries(
      Object.keys(messagingBusiness.settings.shape)
        .filter((field) => !FIXED.includes(field))
        .map((field) => [field, `{{task_1_${field}}}`]),
    );
    expect(check({ ...variables, action }).problems).toEqual([]);
  });
});

test('spec, Errors: no connection chosen', () => {
  expect(check({ action: 'get_templates', ...account }).problems).toEqual([
    { path: 'settings.app_connection_id', message: 'No app connection selected' },
  ]);
});

test('spec, defaults: template_language en_US, limit 100, preview_url false', () => {
  const { settings } = check({ action: 'get_templates', ...connection, ...account });
  expect(settings).toMatchObject({ template_language: 'en_US', limit: 100, preview_url: false });
});

describe('what is certainly wrong is found before it runs', () => {
  const wrong = (action: string, more: object): string[] =>
    pathsOf({ action, ...connection, ...LEAST[action], ...more });

  test.each([
    ['send_template', { recipient: 'Guest' }, 'recipient'],
    ['send_template', { template_language: 'English' }, 'template_language'],
    ['send_template', { template_parameters: '{"1": "Guest"}' }, 'template_parameters'],
    ['send_template', { template_parameters: ['Guest', 5] }, 'template_parameters'],
    ['send_template', { template_parameters: '["Guest"' }, 'template_parameters'],
    ['send_template', { button_index: 12 }, 'button_index'],
    ['create_template', { template_name: 'Order-1' }, 'template_name'],
    ['create_template', { template_category: 'SPAM' }, 'template_category'],
    ['create_template', { template_components: [] }, 'template_components'],
    ['create_template', { template_components: '[{"type":"FOOTER","text":"x"}]' }, 'template_components'],
    ['get_templates', { limit: 0 }, 'limit'],
    ['get_templates', { limit: 1.5 }, 'limit'],
    ['get_templates', { status_filter: 'GOOD' }, 'status_filter'],
    ['send_text', { message_text: 'a'.repeat(4097) }, 'message_text'],
    ['send_text', { preview_url: 'perhaps' }, 'preview_url'],
    ['send_media', { media_type: 'sticker' }, 'media_type'],
    ['send_media', { media_id: '1' }, 'media_id'],
    ['send_media', { media_url: '' }, 'media_url'],
    ['send_media', { media_url: 'a.png' }, 'media_url'],
    ['send_media', { media_type: 'audio', caption: 'x' }, 'caption'],
    ['send_media', { filename: 'x.png' }, 'filename'],
    ['get_message_status', { unknown_field: 1 }, 'unknown_field'],
    ['no_action', {}, 'action'],
  ])('%s %o: %s', (action, more, field) => {
    expect(wrong(action, more)).toContain(field);
  });

  test('{{1}} in components is a placeholder, anything else a variable that has to be readable', () => {
    expect(
      wrong('create_template', {
        template_components: '[{"type":"BODY","text":"Hi {{1}} there","example":{"body_text":[["Guest"]]}}]',
      }),
    ).toEqual([]);
    expect(wrong('create_template', { template_components: [{ ...BODY, text: '{{#if}} {{1}}' }] })).toContain(
      'template_components[0].text',
    );
  });

  test('fields of other actions do not matter', () => {
    expect(wrong('get_templates', { recipient: 'Guest', template_name: 'NOT-VALID' })).toEqual([]);
  });
});

describe('docs/engine.md, Durable', () => {
  const executor = createMessagingBusinessExecutor(async () => {
    throw new Error('Not needed.');
  });

  test.each([
    ['send_template', true, 'flag'],
    ['create_template', true, 'flag'],
    ['get_templates', false, 'retry'],
    ['send_text', true, 'flag'],
    ['send_media', true, 'flag'],
    ['get_message_status', false, 'retry'],
    ['mark_as_read', true, 'retry'],
  ])('%s: side effect %s, interrupted: %s', (action, hasSideEffect, ifInterrupted) => {
    const settings = { action, ...connection, ...LEAST[action] };
    expect(executor.hasSideEffect?.(settings)).toBe(hasSideEffect);
    expect(executor.ifInterrupted?.(settings)).toBe(ifInterrupted);
  });
});
