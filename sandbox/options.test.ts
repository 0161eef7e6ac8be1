import { expect, test } from 'vitest';
import { readOptions, resolveOptions } from './options.ts';

test('defaults: port 4010, its own address as public URL, the development client', () => {
  const options = readOptions({});
  expect(options.port).toBe(4010);
  expect(resolveOptions(options, 4010)).toMatchObject({
    publicUrl: 'http://127.0.0.1:4010',
    client: {
      id: 'patchbay-sandbox',
      redirectUris: expect.arrayContaining(['http://127.0.0.1:3000/oauth/callback']) as string[],
    },
  });
});

test('every variable is read', () => {
  const options = readOptions({
    SANDBOX_PORT: '0',
    SANDBOX_PUBLIC_URL: 'https://sandbox.example/',
    SANDBOX_REDIRECT_URIS: 'https://a.example/cb, https://b.example/cb',
    SANDBOX_CLIENT_ID: 'me',
    SANDBOX_CLIENT_SECRET: 'secret',
    SANDBOX_STRICT: '1',
  });
  expect(options.settings).toEqual({ strict: true });
  expect(resolveOptions(options, 1)).toMatchObject({
    publicUrl: 'https://sandbox.example',
    client: { id: 'me', secret: 'secret', redirectUris: ['https://a.example/cb', 'https://b.example/cb'] },
  });
});

test.each([
  [{ SANDBOX_PORT: 'http' }, /SANDBOX_PORT/],
  [{ SANDBOX_PORT: '70000' }, /SANDBOX_PORT/],
  [{ SANDBOX_STRICT: 'yes' }, /SANDBOX_STRICT/],
  [{ SANDBOX_PUBLIC_URL: 'nonsense' }, /SANDBOX_PUBLIC_URL/],
  [{ SANDBOX_REDIRECT_URIS: 'callback' }, /SANDBOX_REDIRECT_URIS/],
])('%o is refused with the name of the variable', (env, words) => {
  expect(() => readOptions(env)).toThrow(words);
});
