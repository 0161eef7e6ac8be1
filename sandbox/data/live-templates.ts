// Kinds of templates that real accounts have beyond the spec's: in strict the first account has one of each.
import type { Template, TemplateComponent } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { IDS } from './businesses.ts';
import { body, type TemplateSeed } from './template-seed.ts';

/** The stored form of an authentication template's button. */
const CODE_URL = `https://www.${PRODUCT}.com/otp/code/?otp_type=COPY_CODE&code=otp`;

const card = (text: string, example: string): { components: TemplateComponent[] } => ({
  components: [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2UvcG5n:sandbox'] } },
    body(text, example),
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Put it aside' },
        {
          type: 'URL',
          text: 'See it',
          url: 'https://example.com/books/{{1}}',
          example: ['https://example.com/books/atlas'],
        },
      ],
    },
  ],
});

const SEEDS: Omit<TemplateSeed, 'language' | 'status'>[] = [
  {
    name: 'order_ready',
    category: 'UTILITY',
    parameterFormat: 'NAMED',
    components: [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Order {{order_id}}',
        example: { header_text_named_params: [{ param_name: 'order_id', example: 'A-1001' }] },
      },
      {
        type: 'BODY',
        text: 'Hi {{first_name}}, you can fetch it until {{last_day}} at our counter.',
        example: {
          body_text_named_params: [
            { param_name: 'first_name', example: 'Guest' },
            { param_name: 'last_day', example: 'Friday' },
          ],
        },
      },
    ],
  },
  {
    name: 'verification_code',
    category: 'AUTHENTICATION',
    components: [
      {
        type: 'BODY',
        text: '*{{1}}* is your verification code. For your security, do not share this code.',
        add_security_recommendation: true,
        example: { body_text: [['123456']] },
      },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Copy code', url: `${CODE_URL}{{1}}`, example: [`${CODE_URL}123456`] },
        ],
      },
    ],
  },
  {
    name: 'new_books',
    category: 'MARKETING',
    components: [
      body('Hi {{1}}, these came in today. Which one shall we put aside?', 'Guest'),
      {
        type: 'CAROUSEL',
        cards: [card('The atlas for {{1}} euros.', '25'), card('Sea Stories for {{1}} euros.', '12')],
      },
    ],
  },
  {
    name: 'birthday_coupon',
    category: 'MARKETING',
    components: [
      body('Happy birthday, {{1}}! This coupon is good for any book.', 'Guest'),
      {
        type: 'BUTTONS',
        buttons: [{ type: 'COPY_CODE', text: 'Copy offer code', example: ['BIRTHDAY10'] }],
      },
    ],
  },
  {
    name: 'book_a_reading',
    category: 'UTILITY',
    components: [
      body('Hi {{1}}, choose your seat for the reading here.', 'Guest'),
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'FLOW',
            text: 'Choose a seat',
            flow_id: '600000000000001',
            flow_action: 'navigate',
            navigate_screen: 'SEATS',
          },
        ],
      },
    ],
  },
];

/** One template of each kind, approved. */
export const listLiveTemplates = (nowMs: number): Template[] =>
  SEEDS.map((seed, index) => ({
    kind: 'template',
    id: `4900000000000${String(index + 1).padStart(2, '0')}`,
    accountId: IDS.books,
    language: 'en_US',
    status: 'APPROVED',
    rejectedReason: 'NONE',
    updatedAt: nowMs,
    ...structuredClone(seed),
  }));
