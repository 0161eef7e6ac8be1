import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

const RIGHT_TO_LEFT = '\u202e';

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a\r\nb.txt', 'a__b.txt'],
  [`invoice${RIGHT_TO_LEFT}fdp.exe`, 'invoice_fdp.exe'],
  ['\u2066a\u2069.txt', '_a_.txt'],
  ['Rechnung für Größe.pdf', 'Rechnung für Größe.pdf'],
  ['חשבונית.pdf', 'חשבונית.pdf'],
])('%j is stored as %s', (given, stored) => {
  expect(fileNameOf(given, 'id', 'text/plain')).toBe(stored);
});

test('a file without a name gets one by its type', () => {
  expect(fileNameOf('', 'a-1', 'image/png')).toBe('media-a1.png');
});
