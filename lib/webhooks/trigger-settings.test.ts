import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  jsonValue,
  string,
  tuple,
  uniqueArray,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { inboundWebhook } from '#lib/tasks/inbound-webhook/definition.ts';
import { type DuplicateSettings, keySourceOf } from './duplicates/duplicate-settings.ts';
import { readEventKey } from './duplicates/event-key.ts';
import { toObjectBody } from './object-body.ts';
import { storedTriggerSettingsSchema, triggerSettingsSchema } from './trigger-settings.ts';

const DEFAULTS = storedTriggerSettingsSchema.parse(triggerSettingsSchema.parse({}));

test('what may be published is stored as it is', () => {
  const settings = { ...DEFAULTS, response_type: 'redirect', redirect_url: 'https://example.com/{{id}}' };
  expect(storedTriggerSettingsSchema.parse(triggerSettingsSchema.parse(settings))).toEqual(settings);
  expect(storedTriggerSettingsSchema.parse({})).toEqual(DEFAULTS);
});

test.each([
  [{ response_body: 'x'.repeat(100_000) }, { response_body: 'x'.repeat(100_000) }],
  [{ response_type: 'of_another_version', response_body: 'kept' }, { response_body: 'kept' }],
  [{ response_format: 7, redirect_url: null, unknown: true }, {}],
])('a published version that later rules refuse keeps answering: %#', (stored, expected) => {
  expect(triggerSettingsSchema.safeParse(stored).success).toBe(false);
  expect(storedTriggerSettingsSchema.parse(stored)).toEqual({ ...DEFAULTS, ...expected });
});

test.each([
  [{ quiet_seconds: 10 }, []],
  [{ quiet_seconds: 3600, quiet_by: '{{order}}' }, []],
  [{ quiet_seconds: 0 }, ['quiet_seconds']],
  [{ quiet_seconds: 3601 }, ['quiet_seconds']],
  [{ quiet_seconds: 1.5 }, ['quiet_seconds']],
  [{ quiet_by: '{{order}}' }, ['quiet_seconds']],
])('the time of quiet: %j', (settings, problems) => {
  const issues = inboundWebhook.settings.safeParse(settings).error?.issues ?? [];
  expect(issues.map(({ path }) => path.join('.'))).toEqual(problems);
});

describe('the key of a request', () => {
  const keyOf = async (
    settings: DuplicateSettings,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<{ key: string; body: string } | undefined> => {
    const source = keySourceOf(settings);
    const object = toObjectBody(parseJson(body) as JsonObject);
    const key =
      source && (await readEventKey(source, { headers, object, contents: () => Buffer.from(body) }));
    return key && { key: key.hash.toString('hex'), body: key.bodyHash.toString('hex') };
  };
  const byField = (path: string): DuplicateSettings => ({ deduplicate_by: 'field', deduplicate_field: path });

  test('is the value of a field with all digits, whatever else the body says', async () => {
    const [large, next] = ['12345678901234567890', '12345678901234567891'];
    const keys = await Promise.all(
      [`{"a":{"b":[${large}]}}`, `{"x":1,"a":{"b":["${large}"]}}`, `{"a":{"b":[${next}]}}`].map((body) =>
        keyOf(byField('a.b[0]'), body),
      ),
    );
    expect(keys[0]?.key).toBe(keys[1]?.key);
    expect(keys[0]?.body).not.toBe(keys[1]?.body);
    expect(keys[0]?.key).not.toBe(keys[2]?.key);
  });

  test.each(['{}', '{"id":null}', '{"id":""}', '{"id":{}}', '{"id":["a"]}', '{"id":true}'])(
    'is missing in %s',
    async (body) => expect(await keyOf(byField('id'), body)).toBeUndefined(),
  );

  test('of a Stripe event stays the same while Stripe counts down who still has to get it', async () => {
    const event = (pending: number, amount: number) =>
      `{"id": "evt_1", "data": {"amount": ${amount}, "text": "\\"pending_webhooks\\": ${amount}"}, "pending_webhooks": ${pending}}`;
    const [first, copy, other] = await Promise.all(
      [event(2, 5), event(1, 5), event(2, 6)].map((body) => keyOf({ deduplicate_by: 'stripe' }, body)),
    );
    expect(copy).toEqual(first);
    expect(other).toEqual({ key: first?.key, body: expect.not.stringMatching(first?.body ?? '') as string });
  });

  test('of a Chatwoot message is its id, whatever else changed since; its other events have none', async () => {
    const event = (name: string, id: number, unread: number) =>
      `{"event": "${name}", "id": ${id}, "conversation": {"id": 7, "unread_count": ${unread}}}`;
    const [first, copy, other, updated, status] = await Promise.all(
      [
        event('message_created', 5, 0),
        event('message_created', 5, 1),
        event('message_created', 6, 0),
        event('message_updated', 5, 0),
        event('conversation_status_changed', 5, 0),
      ].map((body) => keyOf({ deduplicate_by: 'chatwoot' }, body)),
    );
    expect(first).toBeDefined();
    expect(copy).toEqual(first);
    expect(other?.key).not.toBe(first?.key);
    expect([updated, status]).toEqual([undefined, undefined]);
  });

  test('of any path, however its keys are called, is found where the path leads and nowhere else', async () => {
    const name = string({ minLength: 1, maxLength: 8 }).filter((each) => !/[[\]{}\\\r\n]/.test(each));
    const names = uniqueArray(name, { minLength: 1, maxLength: 4 });
    await assert(
      asyncProperty(names, string({ minLength: 1 }), async (path, value) => {
        const spelled = path.map((each) => `[${each}]`).join('.');
        const body = JSON.stringify(
          path.reduceRight<unknown>((inner, each) => Object.fromEntries([[each, inner]]), value),
        );
        const source = keySourceOf(byField(spelled));
        expect(source).toEqual({ path });
        expect(await keyOf(byField(spelled), body)).toBeDefined();
        expect(await keyOf(byField(`${spelled}.[more]`), body)).toBeUndefined();
      }),
    );
  });

  test('of any settings and any body is a hash or missing, never an error, and never of what the sender did not send', async () => {
    const path = array(
      constantFrom(
        'a',
        '.',
        '[',
        ']',
        '{{',
        '}}',
        '0',
        '../',
        '@root',
        '#if',
        '__proto__',
        'constructor',
        'length',
        ' ',
      ),
      { maxLength: 6 },
    );
    await assert(
      asyncProperty(tuple(path, string()), jsonValue(), async ([parts, header], value) => {
        const body = JSON.stringify({ a: value });
        const key = await keyOf(byField(parts.join('')), body, { [header.toLowerCase()]: 'x' });
        if (key) expect(key.key).toMatch(/^[0-9a-f]{64}$/);
        const by: DuplicateSettings = { deduplicate_by: 'header', deduplicate_header: header };
        expect((await keyOf(by, body, { [header.toLowerCase()]: 'x' })) === undefined).toBe(header === '');
      }),
    );
    for (const inherited of ['constructor', '__proto__', 'toString', 'constructor.name'])
      expect(await keyOf(byField(inherited), '{}')).toBeUndefined();
  });

  test.each([
    [{ deduplicate_by: 'header' }, 'deduplicate_header', 'Enter the name of the header.'],
    [{ deduplicate_by: 'field' }, 'deduplicate_field', 'Enter the path of the field.'],
    [
      { deduplicate_by: 'field', deduplicate_field: 'a b}}' },
      'deduplicate_field',
      'Enter the path of a field',
    ],
  ])('%j is refused with what to enter', (settings, field, message) => {
    const issues = inboundWebhook.settings.safeParse(settings).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path[0], issue.message])).toEqual([
      [field, expect.stringContaining(message) as string],
    ]);
  });

  test('between braces is read as the variable is spelled', () => {
    expect(keySourceOf(byField('{{order.id}}'))).toEqual({ path: ['order', 'id'] });
  });
});
