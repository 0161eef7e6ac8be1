import { expect, test } from 'vitest';
import { findProblems } from '#lib/editor/canvas/find-problems.ts';
import type { StoredSettings } from '#lib/tasks/task-definition.ts';

const WEBP = 'https://example.com/a.webp?size=2';
const find = (settings: object) => {
  const type = 'message_text' in settings ? 'messaging_business_more' : 'messaging_business';
  const task = { id: 2, type, name: 'Send', settings: settings as StoredSettings };
  return findProblems({ tasks: [task], edges: [] }).filter(({ message }) => message.includes('WebP'));
};

test.each([
  [{ action: 'send_media', media_type: 'image', media_url: WEBP }, 'settings.media_url'],
  [{ action: 'send_template', header_type: 'image', header_value: WEBP }, 'settings.header_value'],
  [
    { action: 'send_buttons', message_text: 'Hi', header_type: 'image', header_value: WEBP },
    'settings.header_value',
  ],
])('the editor warns of a picture in WebP, and says what to do: %o', (settings, path) => {
  expect(find(settings)).toEqual([
    {
      taskId: 2,
      field: path,
      severity: 'warning',
      message: expect.stringContaining('use a JPEG or PNG file') as string,
    },
  ]);
  expect(find(JSON.parse(JSON.stringify(settings).replaceAll('.webp', '.png')) as object)).toEqual([]);
});

test.each([
  { action: 'send_sticker', message_text: '', media_url: WEBP },
  { action: 'send_media', media_type: 'document', media_url: WEBP },
  { action: 'send_text', media_type: 'image', media_url: WEBP },
  { action: 'send_media', media_type: 'image', media_url: '{{task_1_picture}}' },
])('of nothing else: %o', (settings) => {
  expect(find(settings)).toEqual([]);
});
