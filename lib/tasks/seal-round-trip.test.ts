import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { replaceSettingSecrets } from '#lib/tasks/setting-secrets.ts';
import { revealSettings } from '#lib/tasks/with-secrets.ts';
import { findPlaceholders, mapStrings, writePlaceholder } from '#lib/secrets/placeholder-format.ts';
import type { SecretValue } from '#lib/secrets/setting-secret.ts';

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('token', 'X-Api-Key', 'password', 'q', 'name', 'user', 'auth', 'pin'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    'Bearer ',
    '{{task_1_a}}',
    '{{',
    '}}',
    '{{#if task_1_a}}',
    '{{/if}}',
    '{{upper "x1"}}',
    '"',
    '\\"',
  ),
  fc.constantFrom(
    'https://',
    '@',
    '?',
    '&',
    '=',
    ':',
    ',',
    '{',
    '}',
    '[',
    ']',
    '<token>',
    '</token>',
    '\n',
    ' ',
  ),
  fc.constantFrom('"password": "', '"pin": 1234', 'api_key=', 'sk_live_1234567890', 'Authorization: '),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').replaceAll('•', ''));
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.boolean(), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(
    word.filter((name) => name !== '__proto__'),
    tie('value'),
    { maxKeys: 3 },
  ),
})).value;
const pairs = fc.array(fc.record({ name: word, value: json }), { maxLength: 4 });
const settings = fc.record({
  url: text,
  query: pairs,
  headers: pairs,
  body: json,
  variables: pairs,
  conditions: fc.array(fc.record({ left: text, operator: fc.constant('equals'), right: json }), {
    maxLength: 3,
  }),
});

/** Replacing its first secret makes the following text another secret. */
const QUOTES_THAT_DO_NOT_MATCH = {
  url: '"password": "api_key="password": "&x',
  query: [],
  headers: [],
  body: false,
  variables: [],
  conditions: [],
};

/** The stored form: a placeholder for every secret, with an id that can be looked up. */
function seal(schema: TaskDefinition['settings'], value: Record<string, unknown>) {
  const stored = new Map<string, SecretValue>();
  const sealed = replaceSettingSecrets(schema, value, (secret) => {
    const id = String(stored.size).padStart(16, '0');
    stored.set(id, secret);
    return writePlaceholder(id);
  });
  return { sealed, stored };
}

test.each([...TASK_DEFINITIONS].map(([type, definition]) => [type, definition.settings] as const))(
  '%s: whatever is taken out of settings comes back as it was, and what is stored is not taken out again',
  (_type, schema) => {
    fc.assert(
      fc.property(settings, (drawn) => {
        const { sealed, stored } = seal(schema, drawn);
        expect(revealSettings(sealed, stored)).toEqual(drawn);
        expect(seal(schema, sealed).stored.size).toBe(0);
        for (const secret of stored.values()) expect(String(secret)).not.toBe('');
      }),
      { numRuns: 500, examples: [[QUOTES_THAT_DO_NOT_MATCH]] },
    );
  },
);

test('what people write next to a stored secret becomes part of it', () => {
  const http = TASK_DEFINITIONS.get('http_request');
  if (!http) throw new Error('There is no such type.');
  const first = seal(http.settings, { headers: [{ name: 'Authorization', value: 'Bearer abc' }] });
  const edited = mapStrings(first.sealed, (each) =>
    findPlaceholders(each).length > 0 ? `${each}-x9` : each,
  );
  const second = replaceSettingSecrets(http.settings, edited, () => writePlaceholder('z'.repeat(16)));
  const values = new Map([...first.stored, ['z'.repeat(16), '-x9']]);
  expect(revealSettings(second, values)).toEqual({
    headers: [{ name: 'Authorization', value: 'Bearer abc-x9' }],
  });
});
