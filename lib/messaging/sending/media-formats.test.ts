import { expect, test } from 'vitest';
import { isMediaId } from '#lib/messaging/platform/ids.ts';
import { checkMediaFile, endingsOf } from './media-formats.ts';

const MEGABYTE = 1024 * 1024;

test.each([
  ['a.JPG', 5 * MEGABYTE, undefined, { kind: 'image', mimeType: 'image/jpeg' }],
  ['b.3gp', 16 * MEGABYTE, 'video', { kind: 'video', mimeType: 'video/3gpp' }],
  ['price list.v2.pdf', 100 * MEGABYTE, 'document', { kind: 'document', mimeType: 'application/pdf' }],
  ['smile.webp', 500 * 1024, undefined, { kind: 'sticker', mimeType: 'image/webp' }],
  ['c.amr', 1, 'audio', { kind: 'audio', mimeType: 'audio/amr' }],
] as const)('spec, send_media: %s with %d bytes is taken', (name, bytes, kind, format) => {
  expect(checkMediaFile(name, bytes, kind)).toEqual({ format });
});

test.each([
  ['a.png', 5 * MEGABYTE + 1, undefined, /image can have at most 5 MB; this one has 5.0 MB/],
  ['a.mp4', 17 * MEGABYTE, 'video', /16 MB; this one has 17.0 MB/],
  ['a.pdf', 10, 'image', /image must be jpg, jpeg, png; this is pdf/],
  [
    'a.webp',
    10,
    'image',
    /image must be jpg, jpeg, png; this is webp\. WebP is for stickers: use a JPEG or PNG file/,
  ],
  ['a.webp', 501 * 1024, undefined, /sticker can have at most 500 KB; this one has 0\.5 MB/],
  ['a.gif', 10, undefined, /this is gif/],
  ['constructor', 10, undefined, /without an extension/],
  ['a.constructor', 10, undefined, /this is constructor/],
  ['a.png', 0, 'image', /empty/],
] as const)('%s with %d bytes is refused', (name, bytes, kind, problem) => {
  expect(checkMediaFile(name, bytes, kind).problem).toMatch(problem);
});

test('endings by kind, and ids', () => {
  expect(endingsOf('audio')).toEqual(['mp3', 'ogg', 'amr']);
  expect(isMediaId('300000000000001')).toBe(true);
  for (const text of ['', '123', 'https://example.com/1', 'picture', '12345 6'])
    expect(isMediaId(text)).toBe(false);
});
