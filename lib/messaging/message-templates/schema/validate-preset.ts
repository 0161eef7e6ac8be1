// New authentication templates whose text the platform writes: their options, and the button with the code.
import * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import type { Problem } from '#lib/core/errors.ts';
import { TEMPLATE_LIMITS } from './components.ts';

/** Problems of a component's shape. @param types message for one of another type */
export function explainIssue(
  issue: z.core.$ZodIssue,
  index: number,
  types = 'The type must be HEADER, BODY, FOOTER or BUTTONS.',
): Problem {
  const path = toDotPath(['components', index, ...issue.path]);
  if (issue.code === 'unrecognized_keys')
    return { path, message: `Remove ${issue.keys.join(', ')}: this field is not allowed here.` };
  if (issue.code === 'invalid_union') return { path, message: types };
  if (issue.code === 'invalid_value')
    return { path, message: `Choose one of ${issue.values.map(String).join(', ')}.` };
  return { path, message: issue.message };
}

export const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const;
export type OtpType = (typeof OTP_TYPES)[number];

/** Minutes until a code expires, optional in the text. */
export const CODE_MINUTES = { least: 1, most: 90 };

const label = z
  .string()
  .max(TEMPLATE_LIMITS.buttonText, `The text can have at most ${TEMPLATE_LIMITS.buttonText} characters.`);
const minutes = `Enter a whole number of minutes from ${CODE_MINUTES.least} to ${CODE_MINUTES.most}.`;

const otpButton = z.strictObject({
  type: z.literal('OTP'),
  otp_type: z.enum(OTP_TYPES),
  text: label.optional(),
  autofill_text: label.optional(),
  supported_apps: z
    .array(
      z.strictObject({
        package_name: z.string().min(1, 'Enter the package name of the app.'),
        signature_hash: z.string().min(1, 'Enter the signature hash of the app.'),
      }),
    )
    .optional(),
  zero_tap_terms_accepted: z.boolean().optional(),
});

const component = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('BODY'), add_security_recommendation: z.boolean().optional() }),
  z.strictObject({
    type: z.literal('FOOTER'),
    code_expiration_minutes: z
      .number(minutes)
      .int(minutes)
      .min(CODE_MINUTES.least, minutes)
      .max(CODE_MINUTES.most, minutes),
  }),
  z.strictObject({
    type: z.literal('BUTTONS'),
    buttons: z.array(otpButton).length(1, 'An authentication template has one button.'),
  }),
]);

export type PresetComponent = z.infer<typeof component>;

const hints = z.object({
  add_security_recommendation: z.unknown().optional(),
  code_expiration_minutes: z.unknown().optional(),
  buttons: z.array(z.object({ type: z.unknown().optional() })).catch([]),
});

/** Whether components belong to an authentication template without its own text. */
export const isPresetInput = (components: unknown): boolean =>
  Array.isArray(components) &&
  components.some((each) => {
    const { data } = hints.safeParse(each);
    return (
      data !== undefined &&
      (data.add_security_recommendation !== undefined ||
        data.code_expiration_minutes !== undefined ||
        data.buttons.some(({ type }) => type === 'OTP'))
    );
  });

/** Problems of such components; paths start with `components`. */
export function validatePreset(components: readonly unknown[]): Problem[] {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => void problems.push({ path, message });
  const parsed = components.map((each, index) => {
    const { data, error } = component.safeParse(each);
    if (error) problems.push(...error.issues.map((issue) => explainIssue(issue, index, TYPES)));
    return data;
  });
  const types = components.map((each) => (each as { type?: unknown } | null)?.type);
  for (const type of ['BODY', 'FOOTER', 'BUTTONS'])
    if (types.filter((each) => each === type).length > 1)
      report('components', `Only one ${type} is allowed.`);
  if (!types.includes('BODY')) report('components', 'A BODY is required.');
  if (!types.includes('BUTTONS')) report('components', 'A button of the type OTP is required: add BUTTONS.');
  parsed.forEach((each, index) => {
    if (each?.type === 'BUTTONS') checkButton(each.buttons[0], `components[${index}].buttons[0]`, report);
  });
  return problems;
}

const TYPES = 'An authentication template with a button of the type OTP has BODY, FOOTER and BUTTONS only.';

function checkButton(
  button: z.infer<typeof otpButton> | undefined,
  path: string,
  report: (path: string, message: string) => void,
): void {
  if (!button || button.otp_type === 'COPY_CODE') return;
  if ((button.supported_apps ?? []).length === 0)
    report(
      `${path}.supported_apps`,
      'Add the app that receives the code: its package name and signature hash.',
    );
  if (button.otp_type === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true)
    report(`${path}.zero_tap_terms_accepted`, 'Accept the platform’s terms for codes without a tap.');
}
