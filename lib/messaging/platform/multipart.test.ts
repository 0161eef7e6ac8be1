import { expect, test } from 'vitest';
import { multipart } from './multipart.ts';

test('what is sent is read again as it was, and is as long as it says', async () => {
  const content = new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]);
  const name = 'Preis "neu"\r\nX: 1 – ü.png';
  const body = multipart({ messaging_product: 'a\r\nb' }, { name, mimeType: 'image/png', content });
  const bytes = Buffer.concat(await Array.fromAsync(body.chunks()));
  expect(bytes.length).toBe(body.bytes);
  const form = await new Response(bytes, { headers: { 'content-type': body.contentType } }).formData();
  expect(form.get('messaging_product')).toBe('a\r\nb');
  const file = form.get('file') as File;
  expect([file.name, file.type]).toEqual(['Preis "neu"\r\nX: 1 – ü.png', 'image/png']);
  expect(await file.bytes()).toEqual(await content.bytes());
});
