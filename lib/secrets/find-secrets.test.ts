import { describe, expect, test } from 'vitest';
import { measureCpuMs } from '#lib/testing/cpu-time.ts';
import { replaceSecrets } from './find-secrets.ts';

const masked = (text: string, name?: string): string => replaceSecrets(text, name, () => '#');

test.each([
  ['Authorization', 'Bearer abc.def', 'Bearer #'],
  ['Authorization', 'Basic dXNlcjpwYXNz', 'Basic #'],
  ['Authorization', ' abc ', ' # '],
  ['X-API-Key', 'abc def', '#'],
  ['Cookie', 'session=abc; theme=dark', '#'],
  // A variable contains no secret itself; the text around it, or inside it, may.
  ['Authorization', '{{task_1_token}}', '{{task_1_token}}'],
  ['Authorization', 'Bearer {{task_1_token}}', 'Bearer {{task_1_token}}'],
  ['X-API-Key', 'live_{{task_1_part}}:{{task_1_rest}}', '#{{task_1_part}}:{{task_1_rest}}'],
  ['X-API-Key', '{{default task_1_key "abc"}}', '{{default task_1_key "#"}}'],
  ['X-API-Key', '{{#if task_1_a}}abc{{else}}def{{/if}}', '{{#if task_1_a}}#{{else}}#{{/if}}'],
  ['X-API-Key', 'abc{{task_1_unfinished', '#{{task_1_unfinished'],
  ['X-API-Key', '', ''],
  ['Accept', 'application/json', 'application/json'],
])('the value of %s: %s', (name, text, expected) => {
  expect(masked(text, name)).toBe(expected);
});

describe('URLs', () => {
  test.each([
    ['https://user:hunter2@example.com/a', 'https://#:#@example.com/a'],
    ['https://ghp_abc@example.com', 'https://#@example.com'],
    ['https://us{{task_1_er}}:hunter2@example.com/a', 'https://#{{task_1_er}}:#@example.com/a'],
    ['https://sk_live_abc:@example.com', 'https://#:@example.com'],
    ['https://example.com/a:b@c', 'https://example.com/a:b@c'],
    ['https://example.com/?api_key=abc&q=shoes#top', 'https://example.com/?api_key=#&q=shoes#top'],
    ['https://example.com/?q=a&token={{task_1_token}}', 'https://example.com/?q=a&token={{task_1_token}}'],
    ['https://example.com/?access%5Ftoken=abc', 'https://example.com/?access%5Ftoken=#'],
    ['https://example.com/#access_token=abc', 'https://example.com/#access_token=#'],
    ['https://hooks.slack.com/services/T0/B0/x1y2', 'https://hooks.slack.com/services/#'],
    [
      'https://example.com/orders/{{task_1_id}}?max_tokens=5',
      'https://example.com/orders/{{task_1_id}}?max_tokens=5',
    ],
    ['mailto:someone@example.com', 'mailto:someone@example.com'],
  ])('%s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe('bodies', () => {
  test.each([
    ['{"user": "me", "password": "hun\\"ter2"}', '{"user": "me", "password": "#"}'],
    ['{"pin": 1234, "amount": 1234}', '{"pin": #, "amount": 1234}'],
    ['{"auth": true, "token": null, "key": {"a": 1}}', '{"auth": true, "token": null, "key": {"a": 1}}'],
    ['{"api_keys": ["abc", "def"]}', '{"api_keys": ["#", "#"]}'],
    ['{"a": {"b": {"clientSecret": "abc"}}}', '{"a": {"b": {"clientSecret": "#"}}}'],
    ['{"token": {{task_1_token}}, "x": "{{task_1_x}}"}', '{"token": {{task_1_token}}, "x": "{{task_1_x}}"}'],
    ['{"a": {{task_1_open, "password": "abc"}', '{"a": {{task_1_open, "password": "#"}'],
    ['{"a":{{task_1_open,"b":{"password":"abc"}}', '{"a":{{task_1_open,"b":{"password":"#"}}'],
    ['{"a":{{task_1_open,"password":"abc"}}', '{"a":{{task_1_open,"password":"#"}}'],
    ['{"api key": "abc", "open_token": "abc', '{"api key": "#", "open_token": "#'],
    ['{"query": "login(password: \\"abc\\")"}', '{"query": "login(password: \\"#\\")"}'],
    ['{"inner": "{\\"password\\":\\"abc\\"}"}', '{"inner": "{\\"password\\":\\"#\\"}"}'],
    ['{"url": "https://example.com/?token=abc", "b": 1}', '{"url": "https://example.com/?token=#", "b": 1}'],
    ['user=me&password=my pass&x=1', 'user=me&password=#&x=1'],
    ['user=me\npassword=a"b\nx=1', 'user=me\npassword=#\nx=1'],
    [
      '<login><user>me</user><password>abc</password></login>',
      '<login><user>me</user><password>#</password></login>',
    ],
    ['<login password="abc" user="me"/>', '<login password="#" user="me"/>'],
    ['Authorization: Bearer abcdefgh\nAccept: text/plain', 'Authorization: Bearer #\nAccept: text/plain'],
    ['{"note": "send Bearer abcdefghijkl on"}', '{"note": "send Bearer # on"}'],
    ['{"any": "sk_live_abcdefgh1234"}', '{"any": "#"}'],
    [
      '{"name": "Mechanical keyboard", "tokens_used": 3}',
      '{"name": "Mechanical keyboard", "tokens_used": 3}',
    ],
  ])('%s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

test('a placeholder is no secret; what is written next to it is', () => {
  const placeholder = '••••••(abcdefghijklmnop)';
  expect(masked(placeholder, 'token')).toBe(placeholder);
  expect(masked(`Bearer ${placeholder}x1`, 'Authorization')).toBe(`Bearer ${placeholder}#`);
  expect(masked(`{"pin": ${placeholder}, "token": "••••••"}`)).toBe(
    `{"pin": ${placeholder}, "token": "••••••"}`,
  );
});

test.each([
  'a.',
  '"',
  '{{',
  'eyJ',
  'a="',
  "a:'",
  '?a',
  '<a ',
  'token=',
  '://',
  'sk-',
  '\\"',
  'token:\\"',
  'token:[',
  'token: "\\"',
  '{{"',
  'token={{a}}&',
  '••••••(abcdefghijklmnop)',
])('a long text of %j is read in a moment', (part) => {
  const text = part.repeat(Math.floor(65_536 / part.length));
  expect(measureCpuMs(() => masked(text))).toBeLessThan(1000);
});
