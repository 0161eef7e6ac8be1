import { expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { messagingBusiness } from './definition.ts';
import { messagingBusinessMore } from './more/definition.ts';

const WEBP = 'https://example.com/a.webp?size=2';
const problems = (more: object, mode: 'draft' | 'publish' = 'publish') => {
  const definition = 'message_text' in more ? messagingBusinessMore : messagingBusiness;
  return checkSettings(definition, more, mode).problems.filter(({ message }) => message.includes('WebP'));
};

test.each([
  [{ action: 'send_media', media_type: 'image', media_url: WEBP }, 'settings.media_url'],
  [{ action: 'send_template', header_type: 'image', header_value: WEBP }, 'settings.header_value'],
  [
    { action: 'send_buttons', message_text: 'Hi', header_type: 'image', header_value: WEBP },
    'settings.header_value',
  ],
])('a picture in WebP is refused at publishing, with what to do: %o', (settings, path) => {
  expect(problems(settings)).toEqual([
    { path, message: expect.stringContaining('use a JPEG or PNG file') as string },
  ]);
  expect(problems(settings, 'draft')).toEqual([]);
  expect(problems(JSON.parse(JSON.stringify(settings).replaceAll('.webp', '.png')) as object)).toEqual([]);
});

test.each([
  { action: 'send_sticker', message_text: '', media_url: WEBP },
  { action: 'send_media', media_type: 'document', media_url: WEBP },
  { action: 'send_text', media_type: 'image', media_url: WEBP },
  { action: 'send_media', media_type: 'image', media_url: '{{task_1_picture}}' },
])('anything else is not: %o', (settings) => {
  expect(problems(settings)).toEqual([]);
});
