import { afterAll, beforeAll, expect, describe, test } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';

let world: MessagingWorld;
let base: Record<string, unknown>;

beforeAll(async () => {
  world = await startMessagingWorld();
  const { id } = await world.connect();
  base = { app_connection_id: id, business_account_id: PLATFORM_IDS.books };
});
afterAll(() => world.end());

const BODY = {
  type: 'BODY',
  text: 'Hi {{1}}, order {{2}} is here.',
  example: { body_text: [['Guest', 'A-1']] },
};

describe('create_template', () => {
  const create = { action: 'create_template', template_category: 'UTILITY' };

  test('spec, create_template: gives template_id, template_name, PENDING; {{1}} reaches the platform untouched', async () => {
    const settings = {
      ...base,
      ...create,
      template_name: 'order_here',
      template_components: [
        { type: 'HEADER', format: 'TEXT', text: 'News of {{task_1_shop}}' },
        BODY,
        { type: 'FOOTER', text: 'Bye' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Track',
              url: 'https://example.com/{{1}}',
              example: ['https://example.com/1'],
            },
          ],
        },
      ],
    };
    const { output, runText } = await runAction(world, settings, { body: { shop: 'Books' } });
    expect(runText).toBe('Template created successfully.');
    expect(output).toEqual({
      action: 'create_template',
      template_id: expect.stringMatching(/^\d+$/) as string,
      template_name: 'order_here',
      status: 'PENDING',
    });
    const [call] = await world.calls(`method=POST&path=message_templates`);
    expect(call?.body).toMatchObject({
      name: 'order_here',
      category: 'UTILITY',
      language: 'en_US',
      components: [{ text: 'News of Books' }, BODY, { text: 'Bye' }, { type: 'BUTTONS' }],
    });
  });

  test('components as a JSON text keep their placeholders, and variables in them are escaped as JSON', async () => {
    const text = `[{"type":"BODY","text":"From {{task_1_shop}} for {{1}}.","example":{"body_text":[["Guest"]]}}]`;
    await runAction(
      world,
      { ...base, ...create, template_name: 'from_shop', template_components: text },
      { body: { shop: 'The "Shop"' } },
    );
    const call = (await world.calls(`method=POST&path=message_templates`)).at(-1);
    expect(call?.body['components']).toMatchObject([{ text: 'From The "Shop" for {{1}}.' }]);
    const given = {
      ...base,
      ...create,
      template_name: 'as_variable',
      template_components: '{{task_1_components}}',
    };
    await runAction(world, given, { body: { components: [BODY] } });
  });

  test('spec, Endpoints 3: the name is checked before the platform is asked', async () => {
    const before = (await world.calls()).length;
    const settings = { ...base, ...create, template_name: '{{task_1_name}}', template_components: [BODY] };
    const error = await failAction(world, settings, { body: { name: 'Order-Here2' } });
    expect(error.message).toBe(
      'The template_name is "Order-Here2". The name can have lowercase letters and underscores only, such as order_update.',
    );
    const four = Array.from({ length: 4 }, () => ({ type: 'QUICK_REPLY', text: 'Yes' }));
    const components = [BODY, { type: 'BUTTONS', buttons: four }];
    const tooMany = await failAction(
      world,
      { ...settings, template_components: '{{task_1_components}}' },
      { body: { name: 'a', components } },
    );
    expect(tooMany.message).toBe(
      'template_components[1].buttons: At most 3 buttons are allowed; there are 4.',
    );
    expect((await world.calls()).length).toBe(before);
  });

  test('a name that is taken is refused in the words of the platform', async () => {
    const error = await failAction(world, {
      ...base,
      ...create,
      template_name: 'order_confirmation',
      template_components: [BODY],
    });
    expect(error.message).toMatch(/^The platform refuses the request: .*already/);
  });
});

describe('get_templates', () => {
  const get = { action: 'get_templates' };

  test('spec, get_templates: fields and limit in the query, template objects and count in the output', async () => {
    const { output, runText } = await runAction(world, { ...base, ...get });
    expect(runText).toBe('Successfully retrieved templates.');
    const templates = output['templates'] as Record<string, unknown>[];
    expect(output).toMatchObject({ action: 'get_templates', count: templates.length });
    expect(Object.keys(templates[0] ?? {}).sort()).toEqual([
      'category',
      'components',
      'id',
      'language',
      'name',
      'status',
    ]);
    const call = (await world.calls('method=GET&path=message_templates')).at(-1);
    expect(call?.query).toMatchObject({ fields: 'name,status,category,language,components', limit: '100' });
  });

  test('pages are followed until the limit, and no further than needed', async () => {
    const all = (await runAction(world, { ...base, ...get })).output['count'] as number;
    expect(all).toBeGreaterThan(25);
    const before = (await world.calls('method=GET&path=message_templates')).length;
    const { output } = await runAction(world, { ...base, ...get, limit: 7 });
    expect(output['count']).toBe(7);
    const calls = (await world.calls('method=GET&path=message_templates')).slice(before);
    expect(calls).toHaveLength(1);
    const { output: filtered } = await runAction(
      world,
      { ...base, ...get, limit: '{{task_1_limit}}', status_filter: 'APPROVED' },
      { body: { limit: 12 } },
    );
    expect(filtered['count']).toBe(12);
  });

  test.each([
    ['APPROVED', /^APPROVED$/],
    ['PENDING', /^PENDING$/],
    ['REJECTED', /^REJECTED$/],
    ['DISABLED', /^DISABLED$/],
  ])('spec, status_filter %s: applied after retrieval', async (status_filter, only) => {
    const { output } = await runAction(world, { ...base, ...get, limit: 3, status_filter });
    const templates = output['templates'] as { status: string }[];
    expect(templates.length).toBeGreaterThan(0);
    for (const { status } of templates) expect(status).toMatch(only);
    expect((await world.calls('method=GET&path=message_templates')).at(-1)?.query).not.toHaveProperty(
      'status',
    );
  });

  test.each([['0'], ['2.5'], ['many']])('limit %j fails', async (limit) => {
    const error = await failAction(
      world,
      { ...base, ...get, limit: '{{task_1_limit}}' },
      { body: { limit } },
    );
    expect(error.message).toBe(`"${limit}" isn’t a whole number from 1 to 10000.`);
  });

  test('an account that does not exist is said to be the account, not the phone', async () => {
    const error = await failAction(world, { ...base, ...get, business_account_id: '999' });
    expect(error.message).toMatch(/^Business account not found: /);
  });
});
