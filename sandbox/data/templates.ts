import type { Template, TemplateButton, TemplateComponent } from '../model.ts';
import { ACCOUNTS, IDS } from './businesses.ts';
import { OTHER_TEMPLATES } from './other-templates.ts';
import { body, type TemplateSeed } from './template-seed.ts';

const buttons = (...list: TemplateButton[]): TemplateComponent => ({ type: 'BUTTONS', buttons: list });
const footer = (text: string): TemplateComponent => ({ type: 'FOOTER', text });

const approved = (
  name: string,
  category: Template['category'],
  ...components: TemplateComponent[]
): TemplateSeed => ({
  name,
  language: 'en_US',
  category,
  status: 'APPROVED',
  components,
});

/** The templates that guides and tests use; every account has them. */
const COMMON: TemplateSeed[] = [
  approved(
    'hello_world',
    'UTILITY',
    { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
    body('Welcome and congratulations! This message demonstrates that your number can send templates.'),
    footer('Sandbox sample message'),
  ),
  approved(
    'order_confirmation',
    'UTILITY',
    body(
      'Hi {{1}}, thank you for your order {{2}}. We will tell you when it is on its way.',
      'Guest',
      'A-1001',
    ),
  ),
  {
    ...approved(
      'order_confirmation',
      'UTILITY',
      body(
        'Hallo {{1}}, danke für die Bestellung {{2}}. Wir melden uns, sobald sie unterwegs ist.',
        'Guest',
        'A-1001',
      ),
    ),
    language: 'de',
  },
  approved(
    'appointment_reminder',
    'UTILITY',
    { type: 'HEADER', format: 'TEXT', text: 'Your appointment' },
    body(
      'Hello {{1}}, we look forward to seeing you on {{2}} at {{3}}. Can you make it?',
      'Guest',
      '12 May',
      '10:30',
    ),
    footer('Reply to change it'),
    buttons({ type: 'QUICK_REPLY', text: 'Confirm' }, { type: 'QUICK_REPLY', text: 'Reschedule' }),
  ),
  approved(
    'shipping_update',
    'UTILITY',
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2UvcG5n:sandbox'] } },
    body('Good news, {{1}}: parcel {{2}} left our warehouse today.', 'Guest', 'A-1001'),
    buttons(
      {
        type: 'URL',
        text: 'Track parcel',
        url: 'https://example.com/track/{{1}}',
        example: ['https://example.com/track/A-1001'],
      },
      { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+12125550101' },
    ),
  ),
  approved(
    'abandoned_cart',
    'MARKETING',
    body('Hi {{1}}, you left {{2}} in your cart. We keep it for you until tomorrow.', 'Guest', 'two books'),
    footer('Reply STOP to opt out'),
    buttons({
      type: 'URL',
      text: 'Back to cart',
      url: 'https://example.com/cart/{{1}}',
      example: ['https://example.com/cart/77'],
    }),
  ),
  approved(
    'cart_reminder',
    'MARKETING',
    body('Hi {{1}}, {{2}} is still in your cart. Shall we keep it for you?', 'Guest', 'the atlas'),
    footer('Reply STOP to opt out'),
  ),
  approved(
    'author_reading',
    'MARKETING',
    body('On {{1}} we host a reading of {{2}}. Seats are free.', 'Friday', 'Sea Stories'),
  ),
  approved(
    'lead_welcome',
    'MARKETING',
    body(
      'Welcome, {{1}}! Thanks for your interest in {{2}}. What would you like to know first?',
      'Guest',
      'our club',
    ),
    buttons(
      { type: 'QUICK_REPLY', text: 'Prices' },
      { type: 'QUICK_REPLY', text: 'Opening hours' },
      { type: 'QUICK_REPLY', text: 'Call me' },
    ),
  ),
  approved(
    'delivery_feedback',
    'UTILITY',
    body('Hi {{1}}, your order {{2}} was delivered. How was it?', 'Guest', 'A-1001'),
    buttons(
      { type: 'QUICK_REPLY', text: 'Great' },
      { type: 'QUICK_REPLY', text: 'Okay' },
      { type: 'QUICK_REPLY', text: 'Not good' },
    ),
  ),
  approved(
    'news_opt_in',
    'MARKETING',
    body('Hi {{1}}, you signed up for our news. Do you want to get them here?', 'Guest'),
    footer('You can stop at any time'),
    buttons({ type: 'QUICK_REPLY', text: 'Yes, please' }, { type: 'QUICK_REPLY', text: 'No, thanks' }),
  ),
  approved(
    'announcement',
    'MARKETING',
    { type: 'HEADER', format: 'TEXT', text: 'News: {{1}}', example: { header_text: ['Spring sale'] } },
    body(
      'From {{1}} until {{2}} everything in the shop costs less. Come and have a look!',
      'Friday',
      'Sunday',
    ),
  ),
  approved(
    'decision_request',
    'UTILITY',
    body(
      'A decision is needed about {{1}}. Please open {{2}} and choose.',
      'a refund',
      'https://example.com/decide/A-1001',
    ),
  ),
];

/** Fresh copies for every account; the first account also has a long list, for paging. */
export function seedTemplates(nowMs: number): Template[] {
  let number = 0;
  return ACCOUNTS.flatMap(({ id: accountId }) => {
    const seeds = accountId === IDS.books ? [...COMMON, ...OTHER_TEMPLATES] : COMMON;
    return seeds.map((seed): Template => {
      number += 1;
      return {
        kind: 'template',
        id: `4${number.toString().padStart(14, '0')}`,
        accountId,
        ...structuredClone(seed),
        rejectedReason: seed.rejectedReason ?? 'NONE',
        updatedAt: nowMs,
      };
    });
  });
}
