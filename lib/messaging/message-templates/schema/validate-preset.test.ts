import { describe, expect, test } from 'vitest';
import { validateTemplate } from './validate-template.ts';

const BODY = { type: 'BODY', add_security_recommendation: true };
const otp = (more: object = {}) => ({
  type: 'BUTTONS',
  buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', ...more }],
});
const APPS = [{ package_name: 'com.example.shop', signature_hash: 'K8a/AINcGX7' }];

const problems = (components: unknown[], category = 'AUTHENTICATION') =>
  validateTemplate({ name: 'code', language: 'en_US', category, components }).map(({ path }) => path);

describe('platform-conversation §5, Authentication', () => {
  test('what the platform takes', () => {
    expect(problems([BODY, otp()])).toEqual([]);
    expect(problems([{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 90 }, otp()])).toEqual([]);
    expect(
      problems([BODY, otp({ otp_type: 'ONE_TAP', autofill_text: 'Fill in', supported_apps: APPS })]),
    ).toEqual([]);
    const zero = { otp_type: 'ZERO_TAP', supported_apps: APPS, zero_tap_terms_accepted: true };
    expect(problems([BODY, otp(zero)])).toEqual([]);
  });

  test.each([
    ['a text of its own beside the code', [{ ...BODY, text: 'Hi' }, otp()], ['components[0]']],
    ['no button', [BODY], ['components']],
    ['no body', [otp()], ['components']],
    [
      'two buttons',
      [BODY, { type: 'BUTTONS', buttons: [...otp().buttons, ...otp().buttons] }],
      ['components[1].buttons'],
    ],
    ['a header', [{ type: 'HEADER', format: 'TEXT', text: 'a' }, BODY, otp()], ['components[0].type']],
    [
      'a code that never expires',
      [BODY, { type: 'FOOTER', code_expiration_minutes: 0 }, otp()],
      ['components[1].code_expiration_minutes'],
    ],
    [
      'one tap without an app',
      [BODY, otp({ otp_type: 'ONE_TAP' })],
      ['components[1].buttons[0].supported_apps'],
    ],
    [
      'no tap without the terms',
      [BODY, otp({ otp_type: 'ZERO_TAP', supported_apps: APPS })],
      ['components[1].buttons[0].zero_tap_terms_accepted'],
    ],
    ['another type', [BODY, otp({ otp_type: 'SMS' })], ['components[1].buttons[0].otp_type']],
  ])('%s', (_what, components, paths) => {
    expect(problems(components)).toEqual(paths);
  });

  test('another category', () => {
    expect(problems([BODY, otp()], 'UTILITY')).toEqual(['category']);
  });

  test('spec: one with a text of its own is as any other', () => {
    const own = { type: 'BODY', text: 'Your code is {{1}}, for you.', example: { body_text: [['1']] } };
    expect(problems([own])).toEqual([]);
  });
});

describe('placeholders with names', () => {
  const named = (text: string, ...names: string[]) =>
    validateTemplate({
      name: 'a',
      language: 'en_US',
      category: 'UTILITY',
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text,
          example: { body_text_named_params: names.map((param_name) => ({ param_name, example: 'x' })) },
        },
      ],
    }).map(({ path }) => path);

  test('have an example under each name', () => {
    expect(named('Hi {{first_name}}, hello.', 'first_name')).toEqual([]);
    expect(named('Hi {{first_name}}, hello.')).toEqual(['components[0].example']);
    expect(named('Hi {{First}}, hello.', 'First')).toEqual(['components[0].text']);
    expect(named('Hi {{first_name}} and {{1}} there.', 'first_name')).toEqual(['components[0].text']);
    expect(named('{{first_name}}, hello.', 'first_name')).toEqual(['components[0].text']);
  });
});
