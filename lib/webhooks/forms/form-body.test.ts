import { expect, it } from 'vitest';
import { MAX_FORM_BYTES, parseForm } from './form-body.ts';
import type { FormFileStore } from './form-files.ts';
import { readMultipart } from './read-multipart.ts';

const store = null as unknown as FormFileStore;

const FORM = 'application/x-www-form-urlencoded';
const parse = async (body: string | Uint8Array, type = FORM) => {
  const parsed = await parseForm(Buffer.from(body), type, async () => ({ readMultipart, store }));
  return 'refusal' in parsed ? parsed.refusal : (JSON.parse(parsed.json.toString()) as unknown);
};

it.each([
  ['name=Ada+L&city=K%C3%B6ln', { name: 'Ada L', city: 'Köln' }],
  ['tag=a&tag=b&x=', { tag: ['a', 'b'], x: '' }],
  ['', {}],
  ['__proto__=1', JSON.parse('{"__proto__":"1"}')],
])('urlencoded %s', async (body, fields) => {
  expect(await parse(body)).toEqual(fields);
});

const multipart = async (form: FormData): Promise<[Uint8Array, string]> => {
  const { headers, body } = new Request('http://localhost', { method: 'POST', body: form });
  return [new Uint8Array(await new Response(body).arrayBuffer()), headers.get('content-type') ?? ''];
};

it('multipart fields; an empty file input is an empty text', async () => {
  const form = new FormData();
  form.append('name', 'Ada\r\nL');
  form.append('photo', new File([], ''));
  expect(await parse(...(await multipart(form)))).toEqual({ name: 'Ada\r\nL', photo: '' });
});

it('a file is refused with the name of its field', async () => {
  const form = new FormData();
  form.append('photo', new File(['x'], 'x.png'));
  expect(await parse(...(await multipart(form)))).toMatchObject({
    code: 'unsupported_media_type',
    message: 'The field "photo" is a file. Files are not accepted: send a link to it instead.',
  });
});

it.each([
  ['no boundary', 'x', 'multipart/form-data', 'invalid_request'],
  [
    'cut off',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
    'multipart/form-data; boundary=b',
    'invalid_request',
  ],
  ['too many fields', 'a=1&'.repeat(1001), FORM, 'invalid_request'],
  ['too large', 'a'.repeat(MAX_FORM_BYTES + 1), FORM, 'body_too_large'],
])('%s is refused', async (_, body, type, code) => {
  expect(await parse(body, type)).toMatchObject({ code });
});
