// Bodies as the platform documents them (platform-conversation §5).
import { expect, test } from 'vitest';
import type { FilledSlot, SlotKind, TemplateSlot } from './template-slot-types.ts';
import { toTemplateComponents } from './template-components.ts';

const filled = (
  part: TemplateSlot['in'],
  takes: SlotKind,
  value: string,
  more: Partial<TemplateSlot> = {},
): FilledSlot => ({ slot: { key: '', in: part, takes, ...more }, value });
const button = (sub_type: string, index: string, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});

test('numbers have no names, names have', () => {
  expect(
    toTemplateComponents([
      filled('header', 'text', 'A-7', { placeholder: 'order_id', isNamed: true }),
      filled('body', 'text', 'Kim', { placeholder: '1' }),
      filled('body', 'text', 'Friday', { placeholder: 'day', isNamed: true }),
    ]),
  ).toEqual([
    { type: 'header', parameters: [{ type: 'text', parameter_name: 'order_id', text: 'A-7' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Kim' },
        { type: 'text', parameter_name: 'day', text: 'Friday' },
      ],
    },
  ]);
});

test('files by URL or id, and a location', () => {
  expect(toTemplateComponents([filled('header', 'image', 'https://x.example/a.png')])).toEqual([
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://x.example/a.png' } }] },
  ]);
  expect(toTemplateComponents([filled('header', 'video', '123456789')])).toEqual([
    { type: 'header', parameters: [{ type: 'video', video: { id: '123456789' } }] },
  ]);
  const location = { latitude: 52.5, longitude: 13.4, name: 'Shop', address: 'Street 1' };
  expect(
    toTemplateComponents([
      filled('header', 'latitude', '52.5'),
      filled('header', 'longitude', '13.4'),
      filled('header', 'place_name', 'Shop'),
      filled('header', 'place_address', 'Street 1'),
    ]),
  ).toEqual([{ type: 'header', parameters: [{ type: 'location', location }] }]);
});

test('a URL, a coupon and a flow; a flow has its action without values, too', () => {
  expect(
    toTemplateComponents([
      filled('button', 'text', 'A-7', { index: 0 }),
      filled('button', 'coupon_code', 'KIM10', { index: 1 }),
      filled('button', 'flow_token', 'token-1', { index: 2 }),
      filled('button', 'flow_data', '{"seat": 4}', { index: 2 }),
      filled('button', 'flow_token', '', { index: 3 }),
      filled('button', 'flow_data', '', { index: 3 }),
    ]),
  ).toMatchObject([
    button('url', '0', { type: 'text', text: 'A-7' }),
    button('copy_code', '1', { type: 'coupon_code', coupon_code: 'KIM10' }),
    button('flow', '2', { type: 'action', action: { flow_token: 'token-1' } }),
    button('flow', '3', { type: 'action', action: {} }),
  ]);
});

test('a limited-time offer ends at an instant', () => {
  expect(
    toTemplateComponents([filled('limited_time_offer', 'expires_at', '2030-01-31T09:00:00.000Z')]),
  ).toEqual([
    {
      type: 'limited_time_offer',
      parameters: [
        {
          type: 'limited_time_offer',
          limited_time_offer: { expiration_time_ms: Date.parse('2030-01-31T09:00:00Z') },
        },
      ],
    },
  ]);
});

test('a carousel has a component for each card, in their order; quick replies stand before it', () => {
  expect(
    toTemplateComponents(
      [
        filled('header', 'image', '222222', { card: 1 }),
        filled('header', 'image', '111111', { card: 0 }),
        filled('body', 'text', '25', { card: 0 }),
        filled('button', 'text', 'atlas', { card: 0, index: 1 }),
      ],
      [{ index: 0, payload: 'yes' }],
    ),
  ).toEqual([
    button('quick_reply', '0', { type: 'payload', payload: 'yes' }),
    {
      type: 'carousel',
      cards: [
        {
          card_index: 0,
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { id: '111111' } }] },
            { type: 'body', parameters: [{ type: 'text', text: '25' }] },
            button('url', '1', { type: 'text', text: 'atlas' }),
          ],
        },
        {
          card_index: 1,
          components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '222222' } }] }],
        },
      ],
    },
  ]);
});
