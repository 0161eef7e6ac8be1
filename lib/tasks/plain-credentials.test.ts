import { expect, test } from 'vitest';
import { inboundWebhook } from './inbound-webhook/definition.ts';
import { httpRequest } from './http-request/definition.ts';
import { listCredentials, listCredentialsInFile, listReadableCredentials } from './plain-credentials.ts';

const KEY = '9f86d081884c7d659a2feaa0c55ad015';
const settings = {
  url: `https://api.example.com/${KEY}`,
  headers: [
    { name: 'Accept', value: 'application/json' },
    { name: 'Authorization', value: `Bearer ${KEY}` },
    { name: 'X-Custom', value: KEY },
    { name: 'X-Api-Key', value: '••••••(abcdefghijklmnop)' },
    { name: 'X-Named', value: '{{secret.key}}' },
    { value: KEY },
    'broken',
  ],
  query: [{ name: 'signature', value: 'abcdef' }],
  body: { name: 'key', value: KEY },
};

test('credentials of headers and query parameters are found by their path', () => {
  expect(listCredentials(httpRequest, settings).map(({ path, isStored }) => [path, isStored])).toEqual([
    ['settings.query[0].value', false],
    ['settings.headers[1].value', false],
    ['settings.headers[2].value', false],
    ['settings.headers[3].value', true],
  ]);
});

test('only what stays readable is warned of in the editor, and all that is plain in a file', () => {
  const paths = (problems: { path: string }[]) => problems.map(({ path }) => path);
  expect(paths(listReadableCredentials(httpRequest, settings))).toEqual(['settings.headers[2].value']);
  expect(paths(listCredentialsInFile(httpRequest, settings))).toEqual([
    'settings.query[0].value',
    'settings.headers[1].value',
    'settings.headers[2].value',
  ]);
});

test('credentials in a body go by the names in it, a secret that is one as a whole by its setting', () => {
  const body = '{"api_key": "abcdef", "token": "••••••(abcdefghijklmnop)"}';
  const found = (credentials: ReturnType<typeof listCredentials>) =>
    credentials.map(({ path, name, isStored }) => [path, name, isStored]);
  expect(found(listCredentials(httpRequest, { url: 'https://example.com/?key=1', body }))).toEqual([
    ['settings.body', 'api_key', false],
    ['settings.body', 'token', true],
  ]);
  expect(found(listCredentials(inboundWebhook, { caller_check: 'hmac', caller_secret: 'abcdef' }))).toEqual([
    ['settings.caller_secret', 'caller_secret', false],
  ]);
});
