import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { httpRequest } from './definition.ts';
import { parseCurl, splitShellWords } from './parse-curl.ts';

const settingsOf = (text: string) => parseCurl(text).value ?? expect.fail(parseCurl(text).problem);

describe('a curl command becomes a request', () => {
  it('as documentation writes it, over several lines', () => {
    const settings = settingsOf(`$ curl -X POST https://api.example.com/v1/orders \\
  -H "Authorization: Bearer abc123" \\
  --header 'Content-Type: application/json' \\
  -d '{"id": "it'\\''s {{task_1_id}}", "n": 1}'`);
    expect(settings).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/orders',
      query: [],
      headers: [{ name: 'Authorization', value: 'Bearer abc123' }],
      body_type: 'json',
      body: '{"id": "it\'s {{task_1_id}}", "n": 1}',
    });
    expect(checkSettings(httpRequest, settings, 'publish').problems).toEqual([]);
  });

  it.each([
    ['curl https://a.example', { method: 'GET', url: 'https://a.example', body_type: 'none' }],
    ['curl -sSL a.example/x', { method: 'GET', url: 'http://a.example/x' }],
    ['curl -I https://a.example', { method: 'HEAD' }],
    ['curl -XDELETE https://a.example', { method: 'DELETE' }],
    ['curl https://a.example --request=PUT', { method: 'PUT' }],
    ['curl https://a.example -d a=1 -d b=2', { method: 'POST', body_type: 'form', body: 'a=1&b=2' }],
    ['curl -G https://a.example?x=1 -d a=1', { method: 'GET', url: 'https://a.example?x=1&a=1', body: '' }],
    ['curl https://a.example --data-urlencode "q=a b&c"', { body_type: 'form', body: 'q=a%20b%26c' }],
    ['curl https://a.example --json \'{"a":1}\'', { method: 'POST', body_type: 'json', body: '{"a":1}' }],
    ['curl https://a.example -d \'{"a":1}\'', { body_type: 'json' }],
    [
      "curl https://a.example -H 'Content-Type: text/csv' -d $'a,b\\n1,2'",
      { body_type: 'text', body: 'a,b\n1,2', headers: [{ name: 'Content-Type', value: 'text/csv' }] },
    ],
    [
      'curl -u me:secret https://a.example',
      { headers: [{ name: 'Authorization', value: 'Basic bWU6c2VjcmV0' }] },
    ],
    ['curl -m 300 -o file https://a.example', { timeout_seconds: 120, url: 'https://a.example' }],
    ['curl -H "Host: b.example" https://a.example', { headers: [] }],
  ])('%s', (text, expected) => {
    expect(settingsOf(text)).toMatchObject(expected);
  });

  it.each([
    ['wget https://a.example', /starts with curl/],
    ['curl', /no URL/],
    ['curl -d @body.json https://a.example', /"body\.json"/],
    ['curl -F file=@x https://a.example', /-F/],
    ["curl 'https://a.example", /not closed/],
    ['curl https://a.example -X', /-X has no value/],
    ['curl -X TRACE https://a.example', /TRACE/],
  ])('%s is refused with its reason', (text, problem) => {
    expect(parseCurl(text).problem).toMatch(problem);
  });
});

test('property: quoted words come back as they were', () => {
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      expect(splitShellWords(words.map(quote).join(' ')).value).toEqual(words);
    }),
  );
});

test('property: whatever is pasted, it is read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { value, problem } = parseCurl(`curl ${text}`);
      expect(value === undefined).toBe(problem !== undefined);
    }),
  );
});
