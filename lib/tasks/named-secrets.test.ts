// {{secret.name}} is only allowed where a request has credentials.
import { describe, expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';
import { listMisdirectedSecrets, listSecretNames, listUnknownSecrets } from './named-secrets.ts';
import { findTaskDefinition, TASK_DEFINITIONS } from './registry.ts';
import type { TaskDefinition } from './task-definition.ts';

function definitionOf(type: string): TaskDefinition {
  const definition = findTaskDefinition(type);
  if (!definition) throw new Error(`There is no task type ${type}.`);
  return definition;
}

const HTTP = definitionOf('http_request');
const URL = 'https://example.com';
const secret = (name: string, allowedHosts: string[] = []) => ({ name, allowedHosts });
const PLACES =
  '"Secret" of triggers and "Query parameters", "Headers", and "Body content" of HTTP request tasks';

const problemsOf = (type: string, settings: Record<string, unknown>): string[] =>
  checkSettings(definitionOf(type), settings, 'draft').problems.map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe('a secret of the workspace', () => {
  test('may stand in headers, query parameters and bodies of HTTP requests', () => {
    const pairs = [{ name: 'key', value: 'Bearer {{secret.stripe_key}}' }];
    const settings = {
      method: 'POST',
      url: URL,
      headers: pairs,
      query: [{ name: 'q', value: '{{ secret.[query_key] }}' }],
      body_type: 'json',
      body: '{"key": "{{secret.body_key}}", "n": {{#each task_1_list}}{{../secret.in_block}}{{/each}}}',
    };
    expect(checkSettings(HTTP, settings, 'publish').problems).toEqual([]);
    expect(listSecretNames(HTTP, settings).sort()).toEqual([
      'body_key',
      'in_block',
      'query_key',
      'stripe_key',
    ]);
  });

  test('may stand in JSON that is drawn as values', () => {
    const settings = {
      method: 'POST',
      url: URL,
      body_type: 'json',
      body: { list: [{ key: '{{secret.a_key}}' }] },
    };
    expect(checkSettings(HTTP, settings, 'publish').problems).toEqual([]);
    expect(listSecretNames(HTTP, settings)).toEqual(['a_key']);
  });

  const elsewhere: [string, Record<string, unknown>, string][] = [
    ['http_request', { url: `${URL}/{{secret.key}}` }, 'settings.url'],
    ['set_variables', { variables: [{ name: 'a', value: '{{secret.key}}' }] }, 'settings.variables[0].value'],
    [
      'if_condition',
      { conditions: [{ left: '{{secret.key}}', operator: 'equals', right: 'a' }] },
      'settings.conditions[0].left',
    ],
    ['inbound_webhook', { response_body: '{"a": "{{secret.key}}"}' }, 'settings.response_body'],
    ['messaging_business', { message_text: 'Your key is {{secret.key}}' }, 'settings.message_text'],
    ['loop', { items: '{{secret.key}}' }, 'settings.items'],
  ];
  test.each(elsewhere)('is a problem in %s %j', (type, settings, path) => {
    expect(problemsOf(type, settings)).toContain(
      `${path}: {{secret.key}}: a secret can be used only in ${PLACES}.`,
    );
  });

  test.each([
    ['{{upper secret.key}}', 'secret.key'],
    ['{{json secret.key}}', 'secret.key'],
    ['{{#if secret.key}}yes{{/if}}', 'secret.key'],
    ['{{default (urlencode secret.key) "x"}}', 'secret.key'],
  ])('cannot be formatted or asked for: %s', (value, written) => {
    expect(problemsOf('http_request', { url: URL, headers: [{ name: 'a', value }] })).toEqual([
      `settings.headers[0].value: {{${written}}}: a secret can be used only as it is, {{secret.key}}, without formatting or blocks.`,
    ]);
  });

  test.each([
    '{{secret}}',
    '{{json secret}}',
    '{{secret.key.length}}',
    '{{#with secret}}{{key}}{{/with}}',
    '{{@root.secret}}',
    '{{this.secret}}',
  ])('is one name: %s', (value) => {
    const [problem = ''] = problemsOf('http_request', { url: URL, headers: [{ name: 'a', value }] });
    expect(problem).toContain('enter the name of one secret, such as {{secret.stripe_key}}.');
  });

  test("in the trigger's response {{secret}} is a field of the body that is called so", () => {
    expect(
      problemsOf('inbound_webhook', { response_body: '{{secret}} {{secret_part}} {{task_1_secret}}' }),
    ).toEqual([]);
  });

  test('that the workspace does not have is named', () => {
    const settings = { url: URL, headers: [{ name: 'a', value: '{{secret.known}} {{secret.other}}' }] };
    expect(listUnknownSecrets(HTTP, settings, new Map([['known', secret('known')]]))).toEqual([
      {
        path: 'settings.headers[0].value',
        message: 'There is no secret other: add it in Settings → Secrets, or select another one.',
      },
    ]);
  });
});

describe('where a secret is sent', () => {
  const problemsFor = (url: string, allowedHosts: string[] = []) =>
    listMisdirectedSecrets(
      HTTP,
      { url, headers: [{ name: 'a', value: '{{secret.key}}' }] },
      new Map([['key', secret('key', allowedHosts)]]),
    );

  test.each([
    'https://api.example.com',
    'https://api.example.com/orders/{{task_1_id}}',
    'http://10.0.0.1:8080?id={{task_1_id}}',
    ' https://[2001:db8::1]/{{task_1_id}}',
    'https://user:password@api.example.com/{{task_1_id}}',
    'HTTPS://API.example.com#{{task_1_id}}',
    '',
  ])('is fixed by %j', (url) => {
    expect(problemsFor(url)).toEqual([]);
  });

  test.each([
    '{{task_1_url}}',
    '{{task_1_scheme}}://api.example.com/',
    'https://{{task_1_host}}/',
    'https://{{task_1_name}}.example.com/',
    'https://api.example.com{{task_1_path}}',
    'https://api.example.com:{{task_1_port}}/',
    'https://{{task_1_user}}@api.example.com/',
    'https://api.example.com@{{task_1_host}}/',
    'https:///{{task_1_host}}',
    'https:/{{task_1_host}}',
    'https:{{task_1_host}}',
    'https://api\\{{task_1_host}}',
    '{{#if task_1_a}}https://a.example{{else}}https://b.example{{/if}}/',
    'https://api.example.com{{! nothing }}.other.example/',
  ])('is chosen by a variable in %j', (url) => {
    expect(problemsFor(url)).toEqual([
      {
        path: 'settings.url',
        message: expect.stringContaining('A variable chooses where the secret key is sent') as string,
      },
    ]);
    expect(problemsFor(url, ['api.example.com'])).toEqual([]);
  });

  test('is one of the hosts that the secret allows', () => {
    const hosts = ['api.example.com', 'localhost:8443'];
    expect(problemsFor('https://API.example.com/{{task_1_id}}', hosts)).toEqual([]);
    expect(problemsFor('https://localhost:8443/', hosts)).toEqual([]);
    for (const url of ['https://example.com/', 'https://api.example.com:8443/', 'https://localhost/'])
      expect(problemsFor(url, hosts)).toEqual([
        {
          path: 'settings.url',
          message: expect.stringMatching(
            /must not be sent to .*: it is only for api\.example\.com or localhost:8443\./,
          ) as string,
        },
      ]);
  });

  test('is known of every task that sends one', () => {
    for (const { type, isTrigger, secretsGoTo = '', settings } of TASK_DEFINITIONS.values()) {
      const allowsSome = Object.values(settings.shape).some(
        (schema) => (schema as TaskDefinition['settings']).meta()?.namedSecrets,
      );
      // A trigger sends nothing: it compares.
      if (allowsSome && !isTrigger) expect(Object.keys(settings.shape), type).toContain(secretsGoTo);
    }
  });
});

test('only a setting as a whole allows secrets, and only one that is sealed when it is saved', () => {
  for (const { settings } of TASK_DEFINITIONS.values())
    for (const [name, schema] of Object.entries(settings.shape)) {
      const meta = (schema as TaskDefinition['settings']).meta();
      if (meta?.namedSecrets) expect([true, 'whole'], name).toContain(meta.secrets);
    }
});
