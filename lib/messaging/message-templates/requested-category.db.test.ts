// The category that was requested for a template stays beside the one that the platform chose.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { createMessageTemplate, deleteMessageTemplate } from './edit-message-templates.ts';
import { listMessageTemplates } from './list-message-templates.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

let world: MessagingWorld;
let id: string;
beforeAll(async () => {
  world = await startMessagingWorld({}, { strict: true });
  id = (await world.connect({ tokens: await world.mint({ scopes: SCOPES }) })).id;
});
afterAll(() => world.end());

const create = (name: string) =>
  createMessageTemplate(world.ctx, {
    id,
    name,
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'We have news for you.' }],
  });
const find = async (name: string) =>
  (await listMessageTemplates(world.ctx, { id, limit: 1000 })).find((each) => each.name === name);

test('is kept for templates that are created here, whether the platform chose it or not', async () => {
  await create('news_of_today');
  await create('news_promo');
  expect(await find('news_of_today')).toMatchObject({ requested_category: 'UTILITY', category: 'UTILITY' });
  expect(await find('news_promo')).toMatchObject({ requested_category: 'UTILITY', category: 'MARKETING' });
  expect(await find('hello_world')).toMatchObject({ requested_category: null });
});

test('is removed with the template', async () => {
  const { id: templateId, name } = await create('news_promo_of_yesterday');
  const kept = async () => {
    const statement = 'select category from requested_categories where template_id = $1';
    return (await world.runtime.hot.query<{ category: string }>(statement, [templateId])).rows;
  };
  expect(await kept()).toEqual([{ category: 'UTILITY' }]);
  await deleteMessageTemplate(world.ctx, { id, templateId, name });
  expect(await kept()).toEqual([]);
});
