import { expect, test } from 'vitest';
import { validateTemplate } from '#lib/messaging/message-templates/schema/validate-template.ts';
import {
  EMPTY_BUTTON,
  EMPTY_DRAFT,
  EMPTY_OTP,
  findUneditable,
  formatOf,
  problemAt,
  type TemplateDraft,
  toComponents,
  toDraft,
} from './template-draft.ts';

const draft: TemplateDraft = {
  ...EMPTY_DRAFT,
  name: 'order_update',
  headerFormat: 'TEXT',
  headerText: 'Order {{1}}',
  headerExample: '1001',
  body: 'Hello {{1}}, your order {{2}} is on its way.',
  bodyExamples: ['Kim', '1001', 'left over from a longer text'],
  footer: 'Harbour Street Books',
  buttons: [
    { ...EMPTY_BUTTON, text: 'Thanks' },
    {
      ...EMPTY_BUTTON,
      type: 'URL',
      text: 'Track',
      url: 'https://example.com/{{1}}',
      example: 'https://example.com/7',
    },
    { ...EMPTY_BUTTON, type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '+12125550101' },
  ],
};

const check = (each: TemplateDraft) => validateTemplate({ ...each, components: toComponents(each) });

test('spec, create_template: a whole form makes components that pass', () => {
  expect(check(draft)).toEqual([]);
  expect(toComponents(draft)).toEqual([
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1001'] } },
    {
      type: 'BODY',
      text: 'Hello {{1}}, your order {{2}} is on its way.',
      example: { body_text: [['Kim', '1001']] },
    },
    { type: 'FOOTER', text: 'Harbour Street Books' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12125550101' },
      ],
    },
  ]);
});

test('each problem is found at its field, also without the optional parts before it', () => {
  const bad: TemplateDraft = {
    ...draft,
    name: 'Order-Update',
    headerFormat: 'NONE',
    body: '{{1}} is first',
    bodyExamples: ['Kim'],
    footer: 'Not {{1}} here',
    buttons: [{ ...EMPTY_BUTTON, type: 'URL', text: 'Track', url: 'example.com' }],
  };
  const at = (place: string) => problemAt(bad, check(bad), place);
  expect(at('name')).toMatch(/lowercase/);
  expect(at('BODY.text')).toMatch(/start or end/);
  expect(at('FOOTER.text')).toMatch(/cannot have placeholders/);
  expect(at('BUTTONS.buttons[0].url')).toMatch(/https/);
  expect(at('BUTTONS.buttons[0].text')).toBeUndefined();
});

test('an example that is missing is asked for', () => {
  const bad = { ...draft, bodyExamples: ['Kim', ' '] };
  expect(problemAt(bad, check(bad), 'BODY.example')).toMatch(/2 examples/);
});

test('a draft of a template that exists gives the same components again', () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-1'] } },
    { type: 'BODY', text: 'Hi {{1}}, it is on its way.', example: { body_text: [['Kim']] } },
    { type: 'FOOTER', text: 'Thank you' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Stop' },
        { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] },
      ],
    },
  ];
  expect(toComponents(toDraft({ name: 'a', language: 'de', category: 'UTILITY', components }))).toEqual(
    components,
  );
  const media = [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example/a.png'] } },
  ];
  const draft = toDraft({ name: 'a', language: 'de', category: 'UTILITY', components: media });
  expect(draft).toMatchObject({ headerFormat: 'IMAGE', headerExample: '' });
});

test('names in the text make a template with named parameters', () => {
  const named = {
    ...draft,
    headerText: 'Order {{order_id}}',
    body: 'Hi {{first_name}}, until {{last_day}} please.',
    bodyExamples: ['Kim', 'Friday'],
  };
  expect(formatOf(named)).toBe('NAMED');
  const components = toComponents(named);
  expect(components).toMatchObject([
    { example: { header_text_named_params: [{ param_name: 'order_id', example: '1001' }] } },
    {
      example: {
        body_text_named_params: [
          { param_name: 'first_name', example: 'Kim' },
          { param_name: 'last_day', example: 'Friday' },
        ],
      },
    },
    {},
    {},
  ]);
  expect(validateTemplate({ ...named, components, parameter_format: 'NAMED' })).toEqual([]);
  const again = toDraft({ name: 'a', language: 'de', category: 'UTILITY', components });
  expect(toComponents(again)).toEqual(components);
});

test('an authentication template has what one chooses of the platform’s text', () => {
  const code = { ...EMPTY_DRAFT, name: 'code', category: 'AUTHENTICATION', otp: EMPTY_OTP };
  expect(toComponents(code)).toEqual([
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 10 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]);
  const oneTap = { ...code, otp: { ...EMPTY_OTP, type: 'ONE_TAP' as const, expiresAfter: 'soon' } };
  const at = (place: string) => problemAt(oneTap, check(oneTap), place);
  expect(at('BUTTONS.buttons[0].supported_apps')).toMatch(/package name/);
  expect(at('FOOTER.code_expiration_minutes')).toMatch(/from 1 to 90/);
});

test('one that the platform stored becomes the same draft again', () => {
  const url = 'https://www.example.com/otp/code/?otp_type=ZERO_TAP&code=otp{{1}}';
  const components = [
    { type: 'BODY', text: '*{{1}}* is your code.', add_security_recommendation: false },
    { type: 'FOOTER', text: 'Expires in 5 minutes.', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy it', url, example: [url] }] },
  ];
  expect(toDraft({ name: 'a', language: 'de', category: 'AUTHENTICATION', components }).otp).toMatchObject({
    type: 'ZERO_TAP',
    isSafer: false,
    expiresAfter: '5',
    buttonText: 'Copy it',
  });
  expect(findUneditable(components)).toEqual([]);
});

test('what the form would lose is named', () => {
  const body = { type: 'BODY', text: 'Hi' };
  expect(findUneditable([body, { type: 'CAROUSEL', cards: [] }])).toEqual(['a part of the type CAROUSEL']);
  expect(findUneditable([body, { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'a' }] }])).toEqual([
    'a button of the type COPY_CODE',
  ]);
  expect(findUneditable([body])).toEqual([]);
});
